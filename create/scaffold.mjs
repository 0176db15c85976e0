// @ts-check
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {import('./options.mjs').Options} Options */

const templates = fileURLToPath(new URL('./templates', import.meta.url));

/** Vue's and Svelte's checkers, and the build of Next, use the API of the compiler, which TypeScript 7 does not have yet. */
const TYPESCRIPT = { current: '^7.0.2', withApi: '~6.0.3' };

const REACT = {
  dependencies: { react: '^19.3.0', 'react-dom': '^19.3.0' },
  devDependencies: { '@types/react': '^19.3.0', '@types/react-dom': '^19.3.0' },
};

/** A command of Vite for each script of the application. @param {string} check command that checks the types */
const vite = (check) => ({ dev: 'vite', build: `${check} && vite build`, preview: 'vite preview' });

/**
 * What each framework needs: folders of `templates/`, of which later ones win, packages, and scripts.
 * @type {Record<Options['template'], {
 *   parts: string[],
 *   dependencies: Record<string, string>,
 *   devDependencies: Record<string, string>,
 *   scripts: Record<string, string>,
 *   address: string,
 * }>}
 */
const FRAMEWORKS = {
  vanilla: {
    parts: ['vite', 'vanilla'],
    dependencies: {},
    devDependencies: { typescript: TYPESCRIPT.current, vite: '^8.3.8' },
    scripts: vite('tsc'),
    address: 'http://localhost:5173',
  },
  react: {
    parts: ['vite', 'react-app', 'react'],
    dependencies: REACT.dependencies,
    devDependencies: {
      ...REACT.devDependencies,
      '@vitejs/plugin-react': '^6.3.0',
      typescript: TYPESCRIPT.current,
      vite: '^8.3.8',
    },
    scripts: vite('tsc'),
    address: 'http://localhost:5173',
  },
  vue: {
    parts: ['vite', 'vue'],
    dependencies: { vue: '^3.5.0' },
    devDependencies: {
      '@vitejs/plugin-vue': '^6.0.0',
      typescript: TYPESCRIPT.withApi,
      vite: '^8.3.8',
      'vue-tsc': '^3.3.0',
    },
    scripts: vite('vue-tsc'),
    address: 'http://localhost:5173',
  },
  svelte: {
    parts: ['vite', 'svelte'],
    dependencies: { svelte: '^5.57.0' },
    devDependencies: {
      '@sveltejs/vite-plugin-svelte': '^7.3.0',
      'svelte-check': '^4.7.0',
      typescript: TYPESCRIPT.withApi,
      vite: '^8.3.8',
    },
    scripts: vite('svelte-check --fail-on-warnings'),
    address: 'http://localhost:5173',
  },
  next: {
    parts: ['react-app', 'next'],
    dependencies: { ...REACT.dependencies, next: '^16.4.0' },
    devDependencies: { ...REACT.devDependencies, '@types/node': '^20.19.0', typescript: TYPESCRIPT.withApi },
    scripts: { dev: 'next dev', build: 'next build' },
    address: 'http://localhost:3000',
  },
  astro: {
    parts: ['vanilla', 'astro'],
    dependencies: { astro: '^7.3.0' },
    devDependencies: { typescript: TYPESCRIPT.current },
    scripts: { dev: 'astro dev', build: 'tsc && astro build', preview: 'astro preview' },
    address: 'http://localhost:4321',
  },
};

/** Packages of each model, and what the template of its worker file contains. */
const MODELS = {
  ollama: { dependencies: {}, baseUrl: 'http://localhost:11434/v1', modelName: 'qwen3:8b' },
  webgpu: { dependencies: { '@mlc-ai/web-llm': '0.2.86' }, baseUrl: '', modelName: 'Qwen3-1.7B-q4f16_1-MLC' },
  hosted: { dependencies: {}, baseUrl: 'https://api.openai.com/v1', modelName: 'gpt-5-mini' },
};

const NEXT_STEPS = {
  ollama:
    'Start the model first: ollama run {model}. If it refuses the page, set OLLAMA_ORIGINS={address} and restart it.',
  webgpu: 'The first request downloads the model, about 1 GB. The browser needs WebGPU.',
  hosted: 'The page asks for your key and stores it encrypted in the browser.',
};

/**
 * Creates the application. Returns what to do next.
 * @param {Options} options
 * @throws Error when the folder exists and is not empty
 */
export function scaffold({ folder, template, model, rolezero, baseUrl, modelName }) {
  const target = resolve(folder);
  if (existsSync(target) && readdirSync(target).length > 0)
    throw new Error(`${target} is not empty. Name another folder, or remove its files.`);
  const { baseUrl: usualUrl, modelName: usualName } = MODELS[model];
  const values = { baseURL: baseUrl ?? usualUrl, model: modelName ?? usualName };
  mkdirSync(target, { recursive: true });
  const { parts, address } = FRAMEWORKS[template];
  for (const part of ['shared', ...parts]) cpSync(join(templates, part), target, { recursive: true });
  renameSync(join(target, '_gitignore'), join(target, '.gitignore')); // npm leaves out files with that name
  write(target, 'src/agent.worker.ts', fill(source(`${model}.worker.ts`), values));
  write(
    target,
    'src/session.ts',
    fill(source(model === 'hosted' ? 'hosted.session.ts' : 'session.ts'), values),
  );
  write(
    target,
    'package.json',
    `${JSON.stringify(manifest({ template, model, rolezero, target }), null, 2)}\n`,
  );
  return [
    `Created ${target}.`,
    NEXT_STEPS[model].replace('{model}', values.model).replace('{address}', address),
    '',
    `  cd ${relative('', target) || '.'}`,
    '  npm install',
    '  npm run dev',
  ].join('\n');
}

/** @param {string} name of a file that depends on the model */
function source(name) {
  return readFileSync(join(templates, 'models', name), 'utf8');
}

/** Replaces `'{name}'` by a string literal. @param {string} text @param {Readonly<Record<string, string>>} values */
function fill(text, values) {
  return text.replace(/'\{(\w+)\}'/g, (_, name) => `'${(values[name] ?? '').replaceAll(/[\\']/g, '\\$&')}'`);
}

/** @param {string} target @param {string} path @param {string} text */
function write(target, path, text) {
  writeFileSync(join(target, path), text);
}

/** @param {Pick<Options, 'template' | 'model' | 'rolezero'> & { target: string }} options */
function manifest({ template, model, rolezero, target }) {
  const { dependencies, devDependencies, scripts } = FRAMEWORKS[template];
  const name = basename(target)
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '');
  const version = existsSync(rolezero) ? `file:${resolve(rolezero)}` : rolezero;
  return {
    name: name || 'my-agent',
    private: true,
    version: '0.0.0',
    type: 'module',
    scripts,
    dependencies: sorted({
      ...dependencies,
      ...MODELS[model].dependencies,
      rolezero: version,
      zod: '^4.2.0',
    }),
    devDependencies: sorted(devDependencies),
  };
}

/** @param {Readonly<Record<string, string>>} packages */
function sorted(packages) {
  return Object.fromEntries(Object.entries(packages).sort(([one], [other]) => (one < other ? -1 : 1)));
}
