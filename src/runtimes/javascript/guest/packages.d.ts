/** Packages without types of their own: they have the types of the modules of Node that they replace. */
declare module 'path-browserify' {
  import path from 'node:path';
  export default path;
}
declare module 'assert/' {
  import assert from 'node:assert';
  export default assert;
}
declare module 'events/' {
  export { EventEmitter, default } from 'node:events';
}
