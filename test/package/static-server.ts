import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.md': 'text/plain; charset=utf-8',
  '.ts': 'text/javascript', // Built modules without hashed names.
  '.txt': 'text/plain; charset=utf-8',
};

/** Something that a browser can open. */
export interface Site {
  /** Such as `http://127.0.0.1:8080`. */
  origin: string;
  close(): Promise<void>;
}

/**
 * Serves a folder like a simple host: `index.html` for a folder, and `404.html`, if there is one, for what does not exist. Modules may be
 * imported from other origins, as from a CDN.
 */
export async function serveFolder(folder: string): Promise<Site> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const path = pathname.endsWith('/') ? `${pathname}index.html` : pathname;
    const wanted = join(folder, normalize(path));
    const isFound = isFile(wanted);
    const file = isFound ? wanted : join(folder, '404.html');
    if (!isFile(file)) {
      response.writeHead(404).end();
      return;
    }
    const type = TYPES[extname(file)] ?? 'application/octet-stream';
    response.writeHead(isFound ? 200 : 404, { 'content-type': type, 'access-control-allow-origin': '*' });
    createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
