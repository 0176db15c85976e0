import { describe, expect, it } from 'vitest';
import { chrome } from '../../../src/providers/chrome/index.js';
import { chromeAvailability } from '../../../src/providers/chrome/chrome.js';
import { chatModelContract } from '../../contracts/chat-model.js';
import { overPromptApi } from '../../contracts/chrome-model.js';
import { ask, collect, textOf } from '../../fault-server/collect.js';
import { PromptApi } from '../../fixtures/language-model.js';

chatModelContract('chrome with the documented interface,', () => overPromptApi(true, 'chrome'));
chatModelContract('chrome with the older names of the interface,', () => overPromptApi(false));

const SCHEMA = { type: 'object', properties: { a: { type: 'string' } } };
const user = (content: string) => ({ role: 'user' as const, content });
const assistant = (content: string) => ({ role: 'assistant' as const, content });
const system = { role: 'system' as const, content: 'Be kind.' };

describe("Chrome's built-in model", () => {
  it('reports that this browser has none, with a solution', async ({ skip }) => {
    const answers = await chromeAvailability();
    if (answers !== 'absent' && answers !== 'unavailable') skip(`this browser has one: ${answers}`);
    const { chunks, error } = await collect(chrome());
    expect(chunks).toEqual([]);
    expect(error).toMatchObject({
      code: 'model-load',
      message: expect.stringContaining('use another model') as string,
      detail: { availability: answers === 'absent' ? null : answers, retryable: false },
    });
  });

  it('passes on the browser’s message when the model exists but must not be used', async () => {
    const api = new PromptApi([], { availability: 'unavailable' });
    expect(await chromeAvailability(api)).toBe('unavailable');
    const { error } = await collect(chrome({ languageModel: api }));
    expect(error?.message).toContain('"unavailable"');
  });

  it('reports the progress of its download', async () => {
    const api = new PromptApi([{ pieces: ['a'] }], { availability: 'downloadable', downloads: [0.25, 1] });
    const { chunks } = await collect(chrome({ languageModel: api }));
    expect(chunks.filter(({ type }) => type === 'progress')).toEqual(
      [0.25, 1].map((loaded) => ({
        type: 'progress',
        phase: 'downloading',
        loaded,
        total: 1,
        text: 'The browser downloads its model.',
      })),
    );
  });

  it('continues in its session with new messages only, and creates another one for any other conversation', async () => {
    const api = new PromptApi([
      { pieces: ['one'] },
      { pieces: ['two'] },
      { pieces: ['three'] },
      { pieces: ['four'] },
    ]);
    const model = chrome({ languageModel: api });
    const first = [system, user('a')];
    await collect(model, ask({ messages: first }));
    const second = [...first, assistant('one'), user('b')];
    const { chunks } = await collect(model, ask({ messages: second }));
    const usage = chunks.find(({ type }) => type === 'usage');
    expect(usage).toEqual({
      type: 'usage',
      costUsd: 0,
      promptTokens: 13,
      completionTokens: 3,
      cachedPromptTokens: 12,
    });
    await collect(model, ask({ messages: [...second, assistant('two'), user('c'), user('d')] }));
    expect(api.created).toHaveLength(1);
    expect(api.appended).toEqual([[user('c')]]);
    await collect(model, ask({ messages: [...first, assistant('edited'), user('b')] }));
    expect(api.created.map(({ initialPrompts }) => initialPrompts)).toEqual([
      [system],
      [system, user('a'), assistant('edited')],
    ]);
    expect(api.sessions).toBe(1);
  });

  it('constrains a reply to its schema without adding the schema to the prompt', async () => {
    const api = new PromptApi([{ pieces: ['{"a":"b"}'] }]);
    await collect(chrome({ languageModel: api }), ask({ responseSchema: SCHEMA }));
    expect(api.asked[0]?.options).toMatchObject({
      responseConstraint: SCHEMA,
      omitResponseConstraintInput: true,
    });
  });

  it('rejects a prompt that the browser would fit by dropping messages', async () => {
    const api = new PromptApi([{ pieces: ['a'.repeat(60)] }, { pieces: ['ok'] }], { window: 100 });
    const model = chrome({ languageModel: api });
    const first = [user('b'.repeat(20))];
    const answers = await textOf(model, ask({ messages: first }));
    const { error } = await collect(
      model,
      ask({ messages: [...first, assistant(answers), user('c'.repeat(30))] }),
    );
    expect(error).toMatchObject({ code: 'context-overflow', detail: { tokens: 110, contextWindow: 100 } });
    expect(api.asked).toHaveLength(1);
    expect(await textOf(model, ask({ messages: [user('short')] }))).toBe('ok');
    expect(api.sessions).toBe(1);
  });

  it('leaves no session open when it is stopped in the middle', async () => {
    const api = new PromptApi([{ pieces: ['a', 'b'], then: 'hang' }, { pieces: ['ok'] }]);
    const model = chrome({ languageModel: api });
    for await (const chunk of model.chat(ask())) if (chunk.type === 'text-delta') break;
    expect(api.sessions).toBe(0);
    expect(await textOf(model)).toBe('ok');
  });
});
