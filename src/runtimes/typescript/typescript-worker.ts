import { serveThread } from '../serve-thread.js';
import { compilerByFetch } from './compiler.js';
import { runTsc, type TscRequest } from './run-tsc.js';

/** The worker of the TypeScript runtime: runs one call of `tsc` at a time. The compiler loads with the first one. */
serveThread((request: TscRequest) => runTsc(request, compilerByFetch));
