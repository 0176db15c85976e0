import { existsSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { rolldown, type Plugin as RolldownPlugin } from 'rolldown';
import type { Plugin, ResolvedConfig } from 'vite';
import { runtimeModules } from './runtime-modules.mjs';

/** The URL of a file next to the module, such as a worker: `new URL('./shell-worker.js', import.meta.url)`. */
const FILE_URL = /new URL\('(\.{1,2}\/[^']+)', import\.meta\.url\)/g;

/** Files that are started as workers, also by a URL that Vite does not recognize as a worker URL. */
const WORKER_FILE = /(?:[./]|shell-|javascript-|python-|sqlite-|git-|typescript-)worker\.ts$/;

/**
 * Serves each worker of the browser tests as one module. The development server alone serves a worker as hundreds of
 * modules, which takes seconds per worker. Model engines remain imports that Vite resolves.
 */
export function bundledWorkers(): Plugin {
  let config: ResolvedConfig;
  const bundles = new Map<string, Promise<Bundle>>();
  return {
    name: 'bundled-workers',
    apply: 'serve',
    enforce: 'pre',
    configResolved(resolved) {
      config = resolved;
    },
    watchChange() {
      bundles.clear();
    },
    async load(id) {
      const [file = '', query = ''] = id.split('?');
      const isWorker = query.split('&').includes('worker_file') && file.endsWith('.ts');
      if (!isWorker && !WORKER_FILE.test(file)) return null;
      const bundle = bundles.get(file) ?? bundleOf(file, config);
      bundles.set(file, bundle);
      const { code, files } = await bundle;
      for (const source of files) this.addWatchFile(source);
      // Without a source map, Vite appends none to the code.
      return { code, map: { mappings: '' } };
    },
  };
}

interface Bundle {
  code: string;
  /** Paths of the sources in it. */
  files: string[];
}

async function bundleOf(file: string, config: ResolvedConfig): Promise<Bundle> {
  const { alias } = config.resolve;
  const bundle = await rolldown({
    input: file,
    external: [/^node:/, /^@(mlc-ai|huggingface|wllama)\//],
    platform: 'browser',
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    transform: { target: 'es2022', define: { 'process.env.NODE_ENV': '"test"', ...config.define } },
    plugins: [runtimeModules(), aliases(alias), fileUrls(config.root)],
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  const files = output[0].moduleIds.filter((id) => existsSync(id) && !id.includes('/node_modules/'));
  return { code: output[0].code, files };
}

/** Resolves the names that the configuration replaces, such as `rolezero/worker`. */
function aliases(alias: ResolvedConfig['resolve']['alias']): RolldownPlugin {
  return {
    name: 'aliases',
    resolveId(source, importer) {
      const found = alias.find(({ find }) => find === source);
      return found === undefined ? null : this.resolve(found.replacement, importer, { skipSelf: true });
    },
  };
}

/** Makes URLs relative to a module absolute: in a bundle, `import.meta.url` is the URL of the worker. */
function fileUrls(root: string): RolldownPlugin {
  return {
    name: 'file-urls',
    transform(code, id) {
      if (!code.includes('import.meta.url')) return null;
      return code.replaceAll(FILE_URL, (_match, path: string) => {
        const named = resolve(dirname(id), path);
        const file = existsSync(named) ? named : named.replace(/\.js$/, '.ts');
        const query = file.endsWith('.ts') ? '?worker_file&type=module' : '';
        return `new URL('/${relative(root, file)}${query}', self.location.origin)`;
      });
    },
  };
}
