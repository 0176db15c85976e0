// @ts-check
/**
 * Bundles the Browser tool's driver as one classic script. The build writes it to `dist/`, and Vite serves it instead
 * of the placeholder module.
 */
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

const input = fileURLToPath(new URL('../src/tools/browser/driver/index.ts', import.meta.url));

/** Returns the script's text, which is safe inside a `<script>` element, and the ids of its modules. */
export function bundleDriver() {
  return bundle(input);
}

/**
 * @param {string} file
 * @returns {Promise<{ text: string, moduleIds: string[] }>}
 */
async function bundle(file) {
  const { output } = await build({
    input: file,
    platform: 'browser',
    write: false,
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    transform: { target: 'es2022', define: { 'process.env.NODE_ENV': '"production"' } },
    onLog(level, log) {
      if (level === 'warn') throw new Error(log.message);
    },
    output: { format: 'iife', codeSplitting: false, minify: true },
  });
  const [{ code, moduleIds }] = output;
  const text = code
    .trim()
    .replaceAll('</script', '<\\/script')
    .replaceAll('<!--', '<\\!--')
    .replace(/\n\/\/# sourceMappingURL=.*$/, '');
  return { text, moduleIds };
}

/**
 * Returns the source of `driver-source.js`.
 * @param {string} text
 */
export function driverModule(text) {
  return `export const driverSource = ${JSON.stringify(text)};\n`;
}

/**
 * For Vite and Vitest: `driver-source.ts` is built from the current source; `./app.mjs?script` is that file bundled
 * as the text of a script.
 * @returns {import('vite').Plugin}
 */
export function driverSourcePlugin() {
  return {
    name: 'rolezero-driver-source',
    enforce: 'pre',
    async load(id) {
      const [path = '', query] = id.split('?');
      const isDriver = path.endsWith('/tools/browser/driver-source.ts');
      if (!isDriver && query !== 'script') return undefined;
      const { text, moduleIds } = isDriver ? await bundleDriver() : await bundle(path);
      for (const module of moduleIds) if (isOwnFile(module)) this.addWatchFile(module);
      return isDriver ? driverModule(text) : `export default ${JSON.stringify(text)};\n`;
    },
  };
}

/**
 * Returns false for Rolldown's own helpers, which are not files, and for packages, which do not change.
 * @param {string} module
 */
function isOwnFile(module) {
  return !module.startsWith('\0') && !module.includes('node_modules');
}
