import { defineConfig } from 'vite';
import { browserAlias } from '../scripts/aliases.js';
import { driverSourcePlugin } from '../scripts/driver-source.mjs';
import { precachePlugin } from '../scripts/precache.js';

/** The demo as it is served while somebody works on it, and built for any place files are served from. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [driverSourcePlugin(), precachePlugin()],
  resolve: { alias: browserAlias },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Only heavy parts that are loaded on demand pass Vite's limit, and the size of the first load has a test.
    chunkSizeWarningLimit: 8_000,
    rolldownOptions: { input: ['index.html', 'stage.html'].map((page) => `${import.meta.dirname}/${page}`) },
  },
  worker: { format: 'es', plugins: () => [driverSourcePlugin()] },
});
