import { serveThread } from '../serve-thread.js';
import { runNode } from './run-node.js';

/** The worker of the JavaScript runtime: runs one call of `node` at a time. */
serveThread(runNode);
