import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { PYODIDE, servePyodide } from '../try/pyodide-files.js';

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
  '.css': 'text/css',
};

/** Serves a built page, and the files of Python, on a free port of this machine. */
export async function servePrograms(
  folder: string,
): Promise<{ url: string; python: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    if (servePyodide(request, response)) return;
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const name = normalize(pathname === '/' ? '/index.html' : pathname);
    const type = TYPES[extname(name)] ?? 'application/octet-stream';
    const headers = { 'content-type': type, 'cache-control': 'max-age=3600' };
    readFile(join(folder, name)).then(
      (content) => response.writeHead(200, headers).end(content),
      () => response.writeHead(404).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    python: PYODIDE,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
