import { fileURLToPath } from 'node:url';

const source = (path: string) => fileURLToPath(new URL(`../src/${path}`, import.meta.url));

/** The package's own names resolve to its source: demo, tests and scripts read like an application's code. */
const alias = {
  'rolezero/tools/terminal': source('tools/terminal/index.ts'),
  'rolezero/tools/search': source('tools/search/index.ts'),
  'rolezero/files': source('files/index.ts'),
  'rolezero/tools/browser': source('tools/browser/index.ts'),
  'rolezero/tools/frame/driver': source('tools/browser/driver/site/allow-driving.ts'),
  'rolezero/tools/frame': source('tools/browser/frame/index.ts'),
  'rolezero/worker': source('worker/index.ts'),
  'rolezero/tools/lint': source('tools/lint/index.ts'),
  'rolezero/tools': source('tools/index.ts'),
  'rolezero/providers/openai': source('providers/openai/index.ts'),
  'rolezero/providers/ai-sdk': source('providers/ai-sdk/index.ts'),
  'rolezero/providers/failover': source('providers/failover.ts'),
  'rolezero/providers/messages': source('providers/messages/index.ts'),
  'rolezero/prompts/chinese': source('agent/prompt/chinese.ts'),
  'rolezero/providers/metered': source('providers/metered.ts'),
  'rolezero/providers/human': source('providers/human.ts'),
  'rolezero/keys': source('keys/index.ts'),
  'rolezero/providers/queued': source('providers/queued.ts'),
  'rolezero/providers/transformers': source('providers/transformers/index.ts'),
  'rolezero/providers/wllama': source('providers/wllama/index.ts'),
  'rolezero/providers/web-llm/choose': source('providers/web-llm/choose.ts'),
  'rolezero/providers/web-llm': source('providers/web-llm/index.ts'),
  'rolezero/memory/vectors': source('memory/vectors/index.ts'),
  'rolezero/embedders/universal-sentence-encoder': source('embedders/universal-sentence-encoder/index.ts'),
  'rolezero/embedders/openai': source('embedders/openai.ts'),
  'rolezero/embedders/transformers': source('embedders/transformers.ts'),
  'rolezero/embedders/web-llm': source('embedders/web-llm.ts'),
  'rolezero/providers/chrome': source('providers/chrome/index.ts'),
  'rolezero/providers/detect': source('providers/detect/index.ts'),
  'rolezero/react': source('react/index.ts'),
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
  'zod/locales',
  'zod/mini',
  'jsonrepair',
  'eventsource-parser',
  'eventsource-parser/stream',
  'tokenx',
  'just-bash/browser',
  'fflate',
  'htmlparser2',
  '@noble/hashes/sha2.js',
  '@noble/hashes/utils.js',
  '@ai-sdk/openai-compatible',
  '@mlc-ai/web-llm',
  '@wllama/wllama/esm/index.js',
  'es-module-lexer/minimal/js',
  'react',
  'react-dom/client',
];
