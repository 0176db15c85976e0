import * as z from 'zod';
import type { Capabilities } from '../../src/agent/policy/capabilities.js';
import type { PolicyRule } from '../../src/agent/policy/policy.js';
import { defineTool, type Tool } from '../../src/core/tool.js';
import { editor } from '../../src/tools/index.js';
import { search } from '../../src/tools/search/index.js';
import { terminal } from '../../src/tools/terminal/node.js';

/** An effect outside of the session. */
export interface Hit {
  name: string;
  args: unknown;
}

/** The outside: pages by URL, and what an engine finds. */
export interface Outside {
  pages: Record<string, string>;
  snippet: string;
}

export const CAPABILITIES: Capabilities = {
  outside: ['Web.*', 'Api.*', 'Mail.*', 'Pay.*', 'Clip.*', 'SearchEnhancedQA.run'],
  origins: ['https://*.example'],
  write: ['/work/**', '/brought.txt', '/in/**', '/notes/**'],
};
export const POLICY: readonly PolicyRule[] = [{ tool: '*', path: '/secrets/**', do: 'deny' }];

/** The current outside, and the effects on it. */
let now: { outside: Outside; hits: Hit[] } = { outside: { pages: {}, snippet: '' }, hits: [] };
/** Created once: creating their schemas takes most of the time. */
let made: readonly Tool[] | null = null;

/**
 * The tools of an ordinary assistant. Every effect outside of the session is recorded in `hits`. One world at a time.
 */
export function world(outside: Outside): { tools: readonly Tool[]; hits: readonly Hit[] } {
  now = { outside, hits: [] };
  made ??= tools();
  return { tools: made, hits: now.hits };
}

function tools(): Tool[] {
  const sink = (name: string, args: unknown): void => void now.hits.push({ name, args });
  const page = (url: string): string => {
    const text = now.outside.pages[url];
    if (text === undefined) return 'Nothing is here.';
    if (text.startsWith('!')) throw new Error(text.slice(1)); // The server's own error text.
    return text;
  };
  const text = z.string();
  return [
    ...editor(),
    ...terminal(),
    ...search({
      engine: {
        name: 'engine',
        search: async (query) => {
          sink('SearchEnhancedQA.run', { query });
          const { snippet } = now.outside;
          return snippet === '' ? [] : [{ link: 'https://found.example/', title: 'Found', snippet }];
        },
        read: async (link) => now.outside.pages[link] ?? '',
      },
    }),
    defineTool({
      name: 'Web.read',
      description: 'Reads a page.',
      input: z.object({ url: text }),
      effect: 'egress-read',
      address: 'url',
      run({ url }, { untrusted }) {
        sink('Web.read', { url });
        untrusted?.(url);
        return page(url);
      },
    }),
    defineTool({
      name: 'Api.get',
      description: 'Asks a service; it forgets to say that strangers write there.',
      input: z.object({ topic: text }),
      effect: 'egress-read',
      run({ topic }) {
        sink('Api.get', { topic });
        return page(topic);
      },
    }),
    defineTool({
      name: 'Web.post',
      description: 'Posts a text.',
      input: z.object({ url: text, text }),
      effect: 'egress-write',
      address: 'url',
      untrusted: false,
      run: (input) => sink('Web.post', input),
    }),
    defineTool({
      name: 'Mail.send',
      description: 'Sends a mail.',
      input: z.object({ to: text, text }),
      effect: 'egress-write',
      untrusted: false,
      run: (input) => sink('Mail.send', input),
    }),
    defineTool({
      name: 'Pay.transfer',
      description: 'Transfers money.',
      input: z.object({ to: text, amount: z.number() }),
      effect: 'egress-write',
      replay: 'unsafe',
      onAmbiguous: 'fail',
      untrusted: false,
      run: (input) => sink('Pay.transfer', input),
    }),
    defineTool({
      name: 'Clip.copy',
      description: 'Copies into the clipboard.',
      input: z.object({ text }),
      effect: 'ui',
      untrusted: false,
      run: (input) => sink('Clip.copy', input),
    }),
    defineTool({
      name: 'Door.open',
      description: 'Is not among what the role may do.',
      input: z.object({}),
      effect: 'egress-write',
      run: () => sink('Door.open', {}),
    }),
  ];
}
