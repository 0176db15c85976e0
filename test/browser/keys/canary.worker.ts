import { openai } from 'rolezero/providers/openai';
import { keyVault } from 'rolezero/keys';
import { longTermMemory, RoleZero, serve } from 'rolezero/worker';
import { editor } from 'rolezero/tools';
import { openaiEmbedder } from '../../../src/embedders/openai/index.js';

export interface CanaryConfig {
  baseURL: string;
  /** Base URL of the embedder, which uses the same key. */
  embedURL: string;
  /** The key itself; without it, the key is read from this vault. */
  apiKey?: string;
  vault?: string;
}

/** Forwards console output to the page. */
const answers = new BroadcastChannel('canary-console');
for (const level of ['debug', 'log', 'info', 'warn', 'error'] as const)
  console[level] = (...parts: unknown[]) => answers.postMessage(parts.map(inFull));
addEventListener('error', ({ error }) => answers.postMessage(['uncaught', inFull(error)]));
addEventListener('unhandledrejection', ({ reason }) => answers.postMessage(['unhandled', inFull(reason)]));

function inFull(value: unknown): string {
  return value instanceof Error ? `${value.stack} ${inFull(value.cause)}` : (JSON.stringify(value) ?? '');
}

serve<CanaryConfig>(async ({ baseURL, embedURL, apiKey, vault = '' }) => {
  const keys = keyVault({ database: vault });
  const key = apiKey ?? (async () => (await keys.get('openai')) ?? '');
  return new RoleZero({
    model: openai({ baseURL, model: 'm', contextWindow: 8_192, apiKey: key, retries: 1, random: () => 0 }),
    tools: editor(),
    callPlan: 'merged',
    longTermMemory: longTermMemory({
      maxMessages: 2,
      embedder: openaiEmbedder({
        baseURL: embedURL,
        model: 'e',
        dimensions: 2,
        headers: { authorization: `Bearer ${typeof key === 'string' ? key : await key()}` },
      }),
    }),
  });
});
