import { describe, expect, it } from 'vitest';
import { chrome, prepareChrome } from '../../../src/providers/chrome/index.js';
import { chromeAvailability } from '../../../src/providers/chrome/chrome.js';
import { ask, collect, textOf } from '../../fault-server/collect.js';
import { PromptApi } from '../../fixtures/language-model.js';

it('explains what to do without LanguageModel, as in Node and in workers', async () => {
  expect(await chromeAvailability()).toBe('absent');
  const { error } = await collect(chrome());
  expect(error).toMatchObject({
    code: 'model-load',
    message: expect.stringContaining('not in workers') as string,
    detail: { availability: null },
  });
  await expect(prepareChrome()).rejects.toMatchObject({ code: 'model-load', detail: { availability: null } });
});

describe.each([
  ['by its names since Chrome 148', true],
  ['by its older names', false],
])('the interface %s', (_names, renamed) => {
  const user = (content: string) => ({ role: 'user' as const, content });

  it('reports its window after preparation, and the download progress', async () => {
    const api = new PromptApi([], {
      renamed,
      window: 6_144,
      availability: 'downloadable',
      downloads: [0.5, 1],
    });
    const shares: number[] = [];
    expect(
      await prepareChrome({ languageModel: api, onProgress: (share) => void shares.push(share) }),
    ).toEqual({ contextWindow: 6_144 });
    expect(shares).toEqual([0.5, 1]);
    expect(api.sessions).toBe(0);
    const endless = new PromptApi([], { renamed, window: Infinity });
    expect(await prepareChrome({ languageModel: endless })).toEqual({ contextWindow: 131_072 });
  });

  it('measures prompts before a call, and counts tokens after it', async () => {
    const api = new PromptApi([{ pieces: ['Yes', '.'] }], { renamed, window: 100 });
    const model = chrome({ languageModel: api, contextWindow: 100 });
    const { chunks } = await collect(model, ask({ messages: [user('Well?')] }));
    expect(chunks.find(({ type }) => type === 'usage')).toEqual({
      type: 'usage',
      costUsd: 0,
      promptTokens: 5,
      completionTokens: 4,
    });
    const { error } = await collect(model, ask({ messages: [user('a'.repeat(101))] }));
    expect(error).toMatchObject({ code: 'context-overflow', detail: { tokens: 101, contextWindow: 100 } });
  });

  it('rejects a conversation that is too long from its first message', async () => {
    const api = new PromptApi([], { renamed, window: 10 });
    const messages = [user('a'.repeat(11)), { role: 'assistant' as const, content: 'b' }, user('c')];
    const { error } = await collect(chrome({ languageModel: api }), ask({ messages }));
    expect(error?.code).toBe('context-overflow');
    expect(error?.detail['tokens']).toBe(renamed ? 12 : undefined);
  });
});

it('checks availability with the options of the session', async () => {
  const api = new PromptApi([{ pieces: ['Ja.'] }]);
  const options = { languages: ['en', 'ja'], samplingMode: 'predictable' } as const;
  await chromeAvailability(api, options);
  expect(await textOf(chrome({ languageModel: api, ...options }))).toBe('Ja.');
  const expected = [{ type: 'text', languages: ['en', 'ja'] }];
  const wanted = { samplingMode: 'predictable', expectedInputs: expected, expectedOutputs: expected };
  expect(api.inquiries).toEqual([wanted, wanted]);
  expect(api.created).toEqual([expect.objectContaining(wanted)]);
});

it('reports that a download needs a click, and ends when it is stopped', async () => {
  const refuses = new PromptApi([], { availability: 'downloadable' });
  refuses.create = () => Promise.reject(new DOMException('No activation.', 'NotAllowedError'));
  await expect(prepareChrome({ languageModel: refuses })).rejects.toMatchObject({
    code: 'model-load',
    message: expect.stringContaining('prepareChrome from a button') as string,
  });
  const signal = AbortSignal.abort();
  await expect(prepareChrome({ languageModel: new PromptApi([]), signal })).rejects.toMatchObject({
    code: 'aborted',
  });
});
