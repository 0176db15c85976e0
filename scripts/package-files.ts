import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { contentTypeOf } from './content-type.js';

/** Answers a request below `at` for a file in a folder of `node_modules`, as it is. Returns false for other requests. */
export function servePackage(
  { at, folder }: { at: string; folder: string },
  { url = '' }: IncomingMessage,
  response: ServerResponse,
): boolean {
  if (!url.startsWith(at)) return false;
  const name = url.slice(at.length).replace(/[?#].*$/u, '');
  const path = fileURLToPath(new URL(`../node_modules/${folder}/${name}`, import.meta.url));
  const type = contentTypeOf(name) ?? 'application/octet-stream';
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
