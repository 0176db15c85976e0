import { defineConfig } from 'vite';
import { browserAlias } from '../scripts/aliases.js';
import { driverSourcePlugin } from '../scripts/driver-source.mjs';
import { runtimeModules } from '../scripts/runtime-modules.mjs';
import { precachePlugin } from '../scripts/precache.js';
import { pythonFiles } from '../scripts/python-files.js';

/** The demo in development, and built for any static host. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [driverSourcePlugin(), runtimeModules(), pythonFiles(), precachePlugin()],
  resolve: { alias: browserAlias },
  // Workers are scanned too: a package that Vite finds during a run makes it reload the page.
  optimizeDeps: {
    entries: [
      '*.html',
      '*.worker.ts',
      '../src/tools/terminal/shell-worker.ts',
      '../src/runtimes/*/*-worker.ts',
    ],
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Only heavy parts that are loaded on demand exceed Vite's limit; a test checks the size of the first load.
    chunkSizeWarningLimit: 8_000,
    rolldownOptions: {
      input: ['index.html', 'stage.html', 'view.html'].map((page) => `${import.meta.dirname}/${page}`),
    },
  },
  worker: { format: 'es', plugins: () => [driverSourcePlugin(), runtimeModules()] },
});
