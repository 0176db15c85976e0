import { fileURLToPath } from 'node:url';

const source = (path: string) => fileURLToPath(new URL(`../src/${path}`, import.meta.url));

/** The package's own names resolve to its source: demo, tests and scripts read like an application's code. */
export const alias = {
  'rolezero/tools/terminal': source('tools/terminal/index.ts'),
  'rolezero/tools/search': source('tools/search/index.ts'),
  'rolezero/worker': source('worker/index.ts'),
  'rolezero/tools/lint': source('tools/lint/index.ts'),
  'rolezero/tools': source('tools/index.ts'),
  'rolezero/providers/openai': source('providers/openai/index.ts'),
  'rolezero/providers/ai-sdk': source('providers/ai-sdk/index.ts'),
  'rolezero/providers/failover': source('providers/failover.ts'),
  'rolezero/providers/messages': source('providers/messages/index.ts'),
  'rolezero/providers/metered': source('providers/metered.ts'),
  'rolezero/spawn': source('spawn/index.ts'),
  'rolezero/testing': source('testing/index.ts'),
  rolezero: source('index.ts'),
};

/** The same for browsers, where the shell's interpreter finds no `node:zlib`. */
export const browserAlias = { ...alias, 'node:zlib': source('tools/terminal/zlib.ts') };

/** The same for Node, which has one, and where the terminal needs no worker; put over the other. */
export const nodeAlias = {
  ...alias,
  'rolezero/tools/terminal': source('tools/terminal/node.ts'),
  'node:zlib': 'node:zlib',
};

/** What the sources import from packages: bundled before the first request, so that nothing is loaded anew in the middle of a run. */
export const bundledDependencies = [
  'comlink',
  'idb',
  'zod',
  'jsonrepair',
  'eventsource-parser',
  'eventsource-parser/stream',
  'tokenx',
  'just-bash/browser',
  'fflate',
];
