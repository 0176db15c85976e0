import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { servePyodide } from './pyodide-files.js';

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
  '.css': 'text/css',
};

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Builds the page of this script as an application would, and serves it with the files of Python, on a free port of this machine. */
export async function serveBuiltPage(): Promise<{ url: string; close(): Promise<void> }> {
  const cache = path('../../node_modules/.cache/');
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, 'try-page-'));
  const configFile = path('../../vite.config.ts');
  const output = { outDir: folder, emptyOutDir: true };
  await build({ root: path('./page'), configFile, logLevel: 'error', build: output });
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
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
