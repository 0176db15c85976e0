import type { Plugin } from 'vite';
import { servePackage } from './package-files.js';
import { PYTHON_PACKAGES, pythonPackages } from './python-packages.mjs';

const TYPESCRIPT = { at: '/typescript-files/', folder: 'typescript/lib' };
const PYTHON = { at: '/python-packages/', folder: PYTHON_PACKAGES };

/** Serves what an application hosts for its programs, as it is: the development server would compile it. */
export function hostedPackages(): Plugin {
  return {
    name: 'hosted-packages',
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        if (request.url?.startsWith(PYTHON.at) === true) pythonPackages();
        const isServed = [TYPESCRIPT, PYTHON].some((each) => servePackage(each, request, response));
        if (!isServed) next();
      });
    },
  };
}
