import { fileURLToPath } from 'node:url';
import { publicEntries } from './public-entries.mjs';

const source = (path: string) => fileURLToPath(new URL(`../src/${path}`, import.meta.url));

/** Maps the entry points to their sources, so that demo, tests, and scripts import them as an application does. Longer names come first. */
const aliases = (condition?: string): Record<string, string> =>
  Object.fromEntries(
    [...publicEntries(condition)]
      .toSorted(([one], [other]) => other.length - one.length)
      .map(([name, path]) => [name, source(path)]),
  );

/** Aliases for browsers, which have no `node:zlib` for the interpreter of the terminal. */
export const browserAlias = { ...aliases(), 'node:zlib': source('tools/terminal/zlib.ts') };

/** Aliases for Node, merged over `browserAlias`. */
export const nodeAlias = { ...aliases('node'), 'node:zlib': 'node:zlib' };

/**
 * Packages that the sources import, bundled before the first request, so that Vite does not reload the page during a
 * run.
 */
export const bundledDependencies = [
  'comlink',
  'idb',
  'zod',
  'eventsource-parser',
  'eventsource-parser/stream',
  'tokenx',
  'just-bash/browser',
  'fflate',
  'diff',
  'htmlparser2',
  '@stablelib/sha256',
  '@ai-sdk/openai-compatible',
  '@mlc-ai/web-llm',
  '@wllama/wllama/esm/index.js',
  'es-module-lexer/minimal/js',
  'ai',
  '@ai-sdk/react',
  'mammoth',
  'unpdf',
  '@valibot/to-json-schema',
  'arktype',
  'valibot',
  'react',
  'vue',
  'svelte',
  'svelte/store',
  'svelte/internal/client',
  'svelte/internal/disclose-version',
  'react-dom/client',
  'lit',
  'lit/directives/guard.js',
  'lit/directives/ref.js',
  'lit/directives/repeat.js',
  'marked',
];
