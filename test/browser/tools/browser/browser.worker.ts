import {
  RoleZero,
  serve,
  type ChatChunk,
  type ChatModel,
  type ChatRequest,
  type PolicyRule,
} from 'rolezero/worker';
import { editor } from 'rolezero/tools';
import { browser } from 'rolezero/tools/browser';
import type { BrowserOptions } from '../../../../src/tools/browser/browser.js';
import { scriptedModel, type Script } from 'rolezero/testing';

/** A scripted model. `{{button 'Add'}}` in a reply is replaced by that element's number in the newest view. */
function readingModel(script: Script): ChatModel {
  const model = scriptedModel(script);
  return {
    ...model,
    async *chat(request: ChatRequest): AsyncGenerator<ChatChunk> {
      let reply = '';
      for await (const chunk of model.chat(request)) {
        if (chunk.type === 'text-delta') reply += chunk.text;
        else if (reply === '') yield chunk;
        else {
          const text = reply.replace(/\{\{(.+?)\}\}/g, (_, element: string) => numberOf(element, request));
          reply = '';
          yield { type: 'text-delta', text };
          yield chunk;
        }
      }
    },
  };
}

function numberOf(element: string, { messages }: ChatRequest): string {
  const seen = messages.map(({ content }) => (typeof content === 'string' ? content : '')).join('\n');
  const line = seen.split('\n').findLast((each) => each.includes(element) && /\[[\d.]+\]/.test(each)) ?? '';
  return /\[([\d.]+)\]/.exec(line)?.[1] ?? `(nothing is called ${element})`;
}

/** An agent with editor and browser that follows a script. */
serve<{ script: Script; options?: BrowserOptions; policy?: PolicyRule[] }>(
  ({ script, options, policy }) =>
    new RoleZero({
      model: readingModel(script),
      tools: [...editor(), ...browser(options)],
      ...(policy === undefined ? {} : { policy }),
    }),
);
