import { describe, expect, inject, test } from 'vitest';
import type { ChatMessage } from '../../../../src/core/model.js';
import { webLLM } from '../../../../src/providers/web-llm/index.js';
import { ask, collect, textOf } from '../../../fault-server/collect.js';
import { saying } from '../../../tiny-model/model-files.js';
import { tinyModel } from '../../../tiny-model/tiny-model.js';
import { fresh, ended, user, assistant, askFor, kinds, progress, tokens, devices } from './bench.js';

describe('a conversation that only grows', () => {
  test('is read once: all messages but the last are cached', async () => {
    const model = fresh();
    const system: ChatMessage = { role: 'system', content: 'Be brief; $& is $5.' };
    const first = [system, user(`Cost: $$. ${saying('It is $1 $& {function_string}.')}`)];
    const one = await tokens(model, first);
    expect(one.held).toBe(0);
    const second = [...first, assistant('It is $1 $& {function_string}.'), user(`And? ${saying('Two.')}`)];
    const two = await tokens(model, second);
    expect(two.held).toBeGreaterThan(one.prompt);
    const three = await tokens(model, [...second, assistant('Two.'), user(saying('Three.'))]);
    expect(three.held).toBeGreaterThan(two.prompt);
    // The last message and the markers around it.
    expect(three.prompt - three.held).toBeLessThan(60);
  });

  test.each<[string, (messages: ChatMessage[]) => ChatMessage[]]>([
    ['another system prompt', ([, ...rest]) => [{ role: 'system', content: 'Else.' }, ...rest]],
    ['an edited reply', (all) => all.map((one) => (one.role === 'assistant' ? assistant('2') : one))],
    ['two more messages', (all) => [...all, assistant('b'), user(saying('c'))]],
    ['the same messages again', (all) => all.slice(0, 2)],
  ])('is read again after %s', async (_what, change) => {
    const model = fresh();
    const first = [{ role: 'system', content: 'Be brief.' } as const, user(saying('a'))];
    await tokens(model, first);
    expect((await tokens(model, change([...first, assistant('a'), user(saying('b'))]))).held).toBe(0);
  });

  test('is read again after a reply that was cut off and after another conversation', async () => {
    const model = fresh();
    const first = [user(saying('abcdefgh'))];
    const { chunks } = await collect(model, ask({ messages: first, maxOutputTokens: 3 }));
    expect(chunks.slice(-1)).toEqual([{ type: 'finish', reason: 'length' }]);
    const next = (reply: string) => [...first, assistant(reply), user(saying('b'))];
    expect((await tokens(model, next('abc'))).held).toBe(0);
    await tokens(model, first);
    await tokens(model, [user(saying('something else'))]);
    expect((await tokens(model, next('abcdefgh'))).held).toBe(0);
  });

  test("stays cached although the model's thinking is not part of it", async () => {
    const model = fresh();
    const first = [user(saying('<think>\nLet me see: 1 < 2.\n</think>\n\nTwo.'))];
    const { chunks } = await collect(model, ask({ messages: first }));
    expect(chunks.filter(({ type }) => type.endsWith('delta'))).toEqual([
      { type: 'reasoning-delta', text: 'Let me see: 1 < 2.' },
      { type: 'text-delta', text: 'Two.' },
    ]);
    const { prompt, held } = await tokens(model, [...first, assistant('Two.'), user(saying('Three.'))]);
    expect(prompt - held).toBeLessThan(60);
  });

  test('stays cached with thinking skipped', async () => {
    const model = fresh({ thinking: false });
    const first = [user(saying('Two.'))];
    const { chunks } = await collect(model, ask({ messages: first }));
    expect(chunks.filter(({ type }) => type.endsWith('delta'))).toEqual([
      { type: 'text-delta', text: 'Two.' },
    ]);
    const { prompt, held } = await tokens(model, [...first, assistant('Two.'), user(saying('Three.'))]);
    expect(prompt - held).toBeLessThan(60);
  });

  test('continues without the thinking when the window is too small for it', async () => {
    const model = fresh({ contextWindow: 400 });
    const first = [user(saying(`<think>${'Hm. '.repeat(20)}</think>Two.`))];
    expect(await textOf(model, ask({ messages: first, maxOutputTokens: 200 }))).toBe('Two.');
    const more = `${'x'.repeat(80)}${saying('Three.')}`;
    expect(await textOf(model, ask({ messages: [...first, assistant('Two.'), user(more)] }))).toBe('Three.');
  });
});

describe('several roles', () => {
  test('share one engine; a waiting role sees its place in the queue', async () => {
    const tiny = tinyModel(inject('modelServer'));
    const [one, two, three] = [1, 2, 3].map(() => webLLM({ model: tiny.model, appConfig: tiny.appConfig }));
    if (!one || !two || !three) throw new Error('There are three.');
    ended(one);
    await collect(one, askFor('warm'));
    const [first, second, third] = await Promise.all([
      collect(one, askFor('first')),
      collect(two, askFor('second')),
      collect(three, askFor('third')),
    ]);
    expect(kinds(first.chunks)).toEqual(['text-delta', 'usage', 'finish']);
    expect(progress(second.chunks)).toEqual(['Waiting for tiny: 1 call is before this one.']);
    expect(progress(third.chunks)).toEqual([
      'Waiting for tiny: 2 calls are before this one.',
      'Waiting for tiny: 1 call is before this one.',
    ]);
    expect(third.chunks.at(-1)).toEqual({ type: 'finish', reason: 'stop' });
    const libraries = (await tiny.requests()).filter((path) => path === 'library.wasm');
    expect(libraries).toHaveLength(1);
  });

  test('remove a stopped call from the queue', async () => {
    const model = fresh();
    await collect(model, askFor('warm'));
    const stopping = new AbortController();
    const first = collect(model, askFor('a'.repeat(50)));
    const second = collect(model, askFor('b', { signal: stopping.signal }));
    const third = textOf(model, askFor('c'));
    await expect.poll(() => model.calls).toBe(3);
    stopping.abort();
    expect((await second).error?.code).toBe('aborted');
    expect(await third).toBe('c');
    expect((await first).error).toBe(null);
  });

  test('unloading waits for the current call; the next call loads again', async () => {
    const made = devices();
    const model = fresh();
    const call = collect(model, askFor('a'.repeat(50)));
    await expect.poll(() => model.calls).toBe(1);
    await model.unload();
    expect((await call).error).toBe(null);
    expect((await made[0]?.lost)?.reason).toBe('destroyed');
    expect(await textOf(model, askFor('again'))).toBe('again');
    expect(made).toHaveLength(2);
  });
});

describe('a lost GPU', () => {
  test('while decoding is a named error, and the next call reloads the model', async () => {
    const made = devices();
    const model = fresh();
    const request = askFor('a reply of some length '.repeat(20));
    let heard = '';
    const call = (async () => {
      for await (const chunk of model.chat(request)) {
        if (chunk.type !== 'text-delta') continue;
        heard += chunk.text;
        made[0]?.destroy();
      }
    })();
    await expect(call).rejects.toMatchObject({ code: 'model-device-lost', detail: { retryable: true } });
    expect(heard).not.toBe('');
    const { chunks, error } = await collect(model, askFor('back'));
    expect(error).toBe(null);
    expect(progress(chunks)[0]).toBe('Opening tiny.');
    expect(chunks.find(({ type }) => type === 'text-delta')).toEqual({ type: 'text-delta', text: 'back' });
  });

  test('between two calls goes unnoticed', async () => {
    const made = devices();
    const model = fresh();
    expect(await textOf(model, askFor('one'))).toBe('one');
    made[0]?.destroy();
    await made[0]?.lost;
    expect(await textOf(model, askFor('two'))).toBe('two');
  });

  test('while loading had too little memory: the error names the next smaller model', async () => {
    const made = devices();
    const { appConfig } = tinyModel(inject('modelServer'));
    const [record] = appConfig.model_list;
    if (record === undefined) throw new Error('There is no record.');
    const list = [
      { ...record, vram_required_MB: 3_000 },
      { ...record, model_id: 'tinier', vram_required_MB: 1_000 },
    ];
    const model = ended(webLLM({ model: 'tiny', appConfig: { model_list: list } }));
    const loading = (async () => {
      for await (const { text } of model.load()) if (text.startsWith('Loading to')) made[0]?.destroy();
    })();
    await expect(loading).rejects.toMatchObject({
      code: 'model-load',
      message: expect.stringContaining('Use the next smaller model, tinier') as string,
      detail: { kind: 'out-of-memory', smaller: 'tinier', vramMB: 3_000 },
    });
    expect(await textOf(model, askFor('with more room'))).toBe('with more room');
  });
});
