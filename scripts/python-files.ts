/** Serves Python with the demo: in development from the package, and built as files of their own, which browsers load with the first program. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { servePyodide } from './try/pyodide-files.js';

/** The folder in the build. */
export const PYTHON_FOLDER = 'assets/pyodide/';

const FILES = [
  'pyodide.mjs',
  'pyodide.asm.mjs',
  'pyodide.asm.wasm',
  'pyodide-lock.json',
  'python_stdlib.zip',
];

export function pythonFiles(): Plugin {
  return {
    name: 'rolezero-python-files',
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        if (!servePyodide(request, response)) next();
      });
    },
    generateBundle() {
      for (const name of FILES) {
        const path = fileURLToPath(new URL(`../node_modules/pyodide/${name}`, import.meta.url));
        this.emitFile({ type: 'asset', fileName: PYTHON_FOLDER + name, source: readFileSync(path) });
      }
    },
  };
}
