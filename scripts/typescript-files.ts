import type { Plugin } from 'vite';
import { servePackage } from './package-files.js';

const TYPESCRIPT = { at: '/typescript-files/', folder: 'typescript/lib' };

/** Serves the files of TypeScript at `/typescript-files/` as they are: the development server would compile its declarations. */
export function typescriptFiles(): Plugin {
  return {
    name: 'typescript-files',
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        if (!servePackage(TYPESCRIPT, request, response)) next();
      });
    },
  };
}
