import type { Runtime } from '../../core/program.js';
import { javascriptRuntime, type JavaScriptOptions } from './javascript.js';
import { runNode } from './run-node.js';

/** Creates the runtime for Node, where tests run roles without a browser. Works in the same way, without a worker. */
export function javascript(options: JavaScriptOptions = {}): Runtime {
  return javascriptRuntime((request) => runNode(request), options);
}
