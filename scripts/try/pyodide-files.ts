import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';

/** Below this path are the files of Python. */
export const PYODIDE = '/-/pyodide/';

const TYPES: Record<string, string> = {
  mjs: 'text/javascript',
  wasm: 'application/wasm',
  json: 'application/json',
};

/** Answers a request for a file of the package `pyodide`. Returns false for other requests. */
export function servePyodide({ url = '' }: IncomingMessage, response: ServerResponse): boolean {
  if (!url.startsWith(PYODIDE)) return false;
  const name = url.slice(PYODIDE.length).replace(/[?#].*$/u, '');
  const path = fileURLToPath(new URL(`../../node_modules/pyodide/${name}`, import.meta.url));
  const type = TYPES[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
  const reading = /^[\w-][\w.-]*$/u.test(name) ? readFile(path).catch(() => null) : Promise.resolve(null);
  void reading.then((content) => {
    response.writeHead(content === null ? 404 : 200, {
      'content-type': type,
      'cache-control': 'max-age=3600',
    });
    response.end(content ?? '');
  });
  return true;
}
