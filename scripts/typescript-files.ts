import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Plugin } from 'vite';

/** Serves the files of TypeScript at `/typescript-files/` as they are: the development server would compile its declarations. */
export function typescriptFiles(): Plugin {
  return {
    name: 'typescript-files',
    configureServer(server) {
      server.middlewares.use('/typescript-files', ({ url = '' }, response) => {
        const name = basename(new URL(url, 'http://localhost').pathname);
        readFile(new URL(`../node_modules/typescript/lib/${name}`, import.meta.url)).then(
          (content) => response.setHeader('content-type', 'text/plain').end(content),
          () => response.writeHead(404).end(),
        );
      });
    },
  };
}
