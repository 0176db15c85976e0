import type { IncomingMessage, ServerResponse } from 'node:http';
import { servePackage } from '../package-files.js';

/** Below this path are the files of Python. */
export const PYODIDE = '/-/pyodide/';

/** Answers a request for a file of the package `pyodide`. Returns false for other requests. */
export function servePyodide(request: IncomingMessage, response: ServerResponse): boolean {
  return servePackage({ at: PYODIDE, folder: 'pyodide' }, request, response);
}
