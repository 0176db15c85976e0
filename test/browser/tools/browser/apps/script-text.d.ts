/** An app of this folder as one classic script (see `scripts/driver-source.mjs`). */
declare module '*.mjs?script' {
  const text: string;
  export default text;
}
