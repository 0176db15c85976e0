import { describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { isAbort } from '../../../../src/core/error.js';
import type { ChatChunk, ChatMessage, ChatModel, ChatRequest } from '../../../../src/core/model.js';
import { memoryFor } from '../../../../src/providers/web-llm/choose-model.js';
import { chooseModel, recommendModel, webLLM } from '../../../../src/providers/web-llm/index.js';
import type { WebLLM } from '../../../../src/providers/web-llm/web-llm.js';
import type { WebLLMOptions } from '../../../../src/providers/web-llm/options.js';
import { ask, collect, textOf } from '../../../fault-server/collect.js';
import { saying } from '../../../tiny-model/model-files.js';
import { tinyModel } from '../../../tiny-model/tiny-model.js';

/** A model nobody else shares; taken from the GPU with the end of the test. */
function fresh(options: Partial<WebLLMOptions> = {}): WebLLM {
  const { model, appConfig } = tinyModel(inject('modelServer'));
  return ended(webLLM({ model, appConfig, ...options }));
}

function ended(model: WebLLM): WebLLM {
  onTestFinished(() => model.unload());
  return model;
}

const user = (content: string): ChatMessage => ({ role: 'user', content });
const assistant = (content: string): ChatMessage => ({ role: 'assistant', content });

/** A question to which the model replies with just this. */
const askFor = (reply: string, more: Partial<ChatRequest> = {}) =>
  ask({ messages: [user(saying(reply))], ...more });

const kinds = (chunks: readonly ChatChunk[]) => chunks.map(({ type }) => type);
const progress = (chunks: readonly ChatChunk[]) =>
  chunks.flatMap((chunk) => (chunk.type === 'progress' ? [chunk.text] : []));

/** Prompt tokens of a call and how many of them were held. */
async function tokens(model: ChatModel, messages: ChatMessage[]): Promise<{ prompt: number; held: number }> {
  const { chunks, error } = await collect(model, ask({ messages }));
  const usage = chunks.find((chunk) => chunk.type === 'usage');
  if (usage === undefined || error !== null) throw error ?? new Error('Nothing was counted.');
  return { prompt: usage.promptTokens, held: usage.cachedPromptTokens ?? 0 };
}

/** The devices that are requested from now on, so that they can be destroyed. */
function devices(): GPUDevice[] {
  const made: GPUDevice[] = [];
  const request = GPUAdapter.prototype.requestDevice;
  vi.spyOn(GPUAdapter.prototype, 'requestDevice').mockImplementation(async function (
    this: GPUAdapter,
    ...options
  ) {
    const device = await request.apply(this, options);
    made.push(device);
    return device;
  });
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  return made;
}

describe('loading', () => {
  test('tells bytes while the weights come and steps while kernels are compiled, then the reply', async () => {
    const { chunks, error } = await collect(fresh(), askFor('Hello 🎉'));
    expect(error).toBe(null);
    expect(progress(chunks)).toEqual([
      'Opening tiny.',
      'Looking for the weights of tiny.',
      ...[1, 2, 3, 4].map((megabytes) => `Downloading tiny, ${megabytes} of 4 MB.`),
      ...[1, 2, 3, 4].map((megabytes) => `Loading to the GPU: tiny, ${megabytes} of 4 MB.`),
      'Compiling tiny for this GPU, step 1 of 1.',
      expect.stringMatching(/^tiny is ready on WebGPU/),
    ]);
    expect(chunks).toContainEqual({
      type: 'progress',
      loaded: 3 * 2 ** 20,
      total: 4 * 2 ** 20,
      text: 'Downloading tiny, 3 of 4 MB.',
    });
    expect(kinds(chunks).slice(-3)).toEqual(['text-delta', 'usage', 'finish']);
    expect(chunks.find(({ type }) => type === 'text-delta')).toEqual({
      type: 'text-delta',
      text: 'Hello 🎉',
    });
  });

  test('what is stored in the browser loads without a network', async () => {
    const tiny = tinyModel(inject('modelServer'));
    const model = ended(webLLM({ model: tiny.model, appConfig: tiny.appConfig }));
    expect(await model.isDownloaded()).toBe(false);
    expect(await textOf(model, askFor('online'))).toBe('online');
    expect(await model.isDownloaded()).toBe(true);
    await model.unload();
    await tiny.offline();
    const before = await tiny.requests();
    const { chunks } = await collect(model, askFor('offline'));
    expect(progress(chunks).join()).not.toContain('Downloading');
    expect(chunks.find(({ type }) => type === 'text-delta')).toEqual({ type: 'text-delta', text: 'offline' });
    expect(await tiny.requests()).toEqual(before);
  });

  test('a download that breaks is told as such, and continues where it stopped', async () => {
    const tiny = tinyModel(inject('modelServer'));
    const model = ended(webLLM({ model: tiny.model, appConfig: tiny.appConfig }));
    const broken: string[] = [];
    const loading = (async () => {
      for await (const { text } of model.load()) {
        broken.push(text);
        if (text.startsWith('Looking')) await tiny.offline();
      }
    })();
    await tiny.offline();
    await expect(loading).rejects.toMatchObject({
      code: 'model-load',
      detail: { kind: 'download', retryable: true },
    });
    await tiny.online();
    expect(await textOf(model, askFor('now'))).toBe('now');
  });

  test('can be done beforehand, and stopped', async () => {
    const model = fresh();
    const stopping = new AbortController();
    const told: string[] = [];
    const loading = (async () => {
      for await (const { text } of model.load(stopping.signal)) {
        told.push(text);
        if (text.startsWith('Looking')) stopping.abort();
      }
    })();
    await expect(loading).rejects.toSatisfy(isAbort);
    expect(told.at(-1)).toBe('Looking for the weights of tiny.');
    await expect.poll(() => model.calls).toBe(0);
    for await (const { text } of model.load()) told.push(text);
    expect(told.at(-1)).toMatch(/^tiny is ready on WebGPU/);
    const { chunks } = await collect(model, askFor('a'));
    expect(progress(chunks)).toEqual([]);
  });

  test('says what is missing where there is no WebGPU, before anything is downloaded', async () => {
    const tiny = tinyModel(inject('modelServer'));
    vi.spyOn(GPU.prototype, 'requestAdapter').mockResolvedValue(null);
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    const { error } = await collect(webLLM({ model: tiny.model, appConfig: tiny.appConfig }), askFor('a'));
    expect(error?.toData()).toMatchObject({
      code: 'model-load',
      message: expect.stringContaining('This browser offers no WebGPU') as string,
      detail: { kind: 'unfit' },
    });
    expect(await tiny.requests()).toEqual([]);
  });

  test('reports it when this GPU lacks what the model needs, and which smaller one to use', async () => {
    const { appConfig } = tinyModel(inject('modelServer'));
    const [record] = appConfig.model_list;
    if (record === undefined) throw new Error('There is no record.');
    const list = [
      { ...record, model_id: 'large-q4f16_1', vram_required_MB: 5_000 },
      { ...record, model_id: 'small-q4f32_1', vram_required_MB: 500 },
    ];
    const { error } = await collect(
      webLLM({ model: 'large-q4f16_1', appConfig: { model_list: list } }),
      askFor('a'),
    );
    expect(error?.toData()).toMatchObject({
      code: 'model-load',
      message:
        "large-q4f16_1 cannot run in this browser. large-q4f16_1 needs the WebGPU feature shader-f16. Use small-q4f32_1, or a server's model.",
      detail: { kind: 'unfit', smaller: 'small-q4f32_1' },
    });
  });
});

describe('choosing a model', () => {
  test('goes by the GPU and the memory of this machine', async () => {
    const memory = Reflect.get(navigator, 'deviceMemory') as number | undefined;
    const adapter = await navigator.gpu.requestAdapter({ powerPreference: 'high-performance' });
    const chosen = await chooseModel();
    expect(chosen).toEqual(recommendModel(adapter, { memoryMB: memoryFor(memory ?? null) }));
    // Where tests run without a GPU, that is said.
    if (adapter?.info.isFallbackAdapter)
      expect(chosen.reason).toContain('runs on the processor instead of a GPU');
  });

  test('finds none where the browser has no WebGPU, or refuses it', async () => {
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    const asked = vi.spyOn(GPU.prototype, 'requestAdapter').mockResolvedValueOnce(null);
    const none = await chooseModel();
    asked.mockRejectedValueOnce(new DOMException('blocked', 'OperationError'));
    expect([none, await chooseModel()]).toEqual([recommendModel(null), recommendModel(null)]);
  });
});

describe('a conversation that only grows', () => {
  test('is read once: all but the last message is held', async () => {
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
    // the marks around the last message, and the message
    expect(three.prompt - three.held).toBeLessThan(60);
  });

  test.each<[string, (messages: ChatMessage[]) => ChatMessage[]]>([
    ['another system prompt', ([, ...rest]) => [{ role: 'system', content: 'Else.' }, ...rest]],
    [
      'a reply that was changed',
      (all) => all.map((one) => (one.role === 'assistant' ? assistant('2') : one)),
    ],
    ['two messages more', (all) => [...all, assistant('b'), user(saying('c'))]],
    ['the same messages again', (all) => all.slice(0, 2)],
  ])('is read again with %s', async (_what, change) => {
    const model = fresh();
    const first = [{ role: 'system', content: 'Be brief.' } as const, user(saying('a'))];
    await tokens(model, first);
    expect((await tokens(model, change([...first, assistant('a'), user(saying('b'))]))).held).toBe(0);
  });

  test('is read again after a reply that was cut off, and after another conversation', async () => {
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

  test('is held although what the model thought is not part of it', async () => {
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

  test('is held with thinking skipped', async () => {
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

describe('a call', () => {
  test('tells how fast the prompt was read and the reply written', async () => {
    const { chunks } = await collect(fresh(), askFor('some words'));
    expect(chunks.find(({ type }) => type === 'usage')).toEqual({
      type: 'usage',
      promptTokens: expect.any(Number) as number,
      completionTokens: 'some words'.length + 1, // and the token that ends it
      cachedPromptTokens: 0,
      rates: {
        promptTokensPerSecond: expect.toSatisfy((rate: number) => rate > 0) as number,
        completionTokensPerSecond: expect.toSatisfy((rate: number) => rate > 0) as number,
      },
    });
  });

  test('that is stopped while decoding ends at once, and the next one has the engine', async () => {
    const model = fresh();
    const stopping = new AbortController();
    let heard = '';
    const call = (async () => {
      const request = askFor('far too long a reply '.repeat(40), { signal: stopping.signal });
      for await (const chunk of model.chat(request)) {
        if (chunk.type !== 'text-delta') continue;
        heard += chunk.text;
        stopping.abort();
      }
    })();
    await expect(call).rejects.toSatisfy(isAbort);
    expect(heard).toBe('f');
    const { chunks } = await collect(model, askFor('next'));
    expect(progress(chunks).filter((text) => text.includes('Opening'))).toEqual([]);
    expect(chunks.filter(({ type }) => type === 'text-delta')).toEqual([
      { type: 'text-delta', text: 'next' },
    ]);
  });

  test('nobody pulls does not hold up the others', async () => {
    const model = fresh();
    const idle = model.chat(askFor('nobody listens to this'))[Symbol.asyncIterator]();
    await idle.next();
    expect(await textOf(model, askFor('next'))).toBe('next');
    await idle.return?.();
  });

  test('beyond the window is told by name, and the engine stays usable', async () => {
    const model = fresh({ contextWindow: 300 });
    const { error } = await collect(model, ask({ messages: [user('x'.repeat(400))] }));
    expect(error?.toData()).toMatchObject({
      code: 'context-overflow',
      detail: {
        promptTokens: expect.toSatisfy((count: number) => count > 400) as number,
        contextWindow: 300,
      },
    });
    const { chunks } = await collect(model, askFor('fits'));
    expect(kinds(chunks)).toEqual(['text-delta', 'usage', 'finish']);
  });

  test('that fills the window says that its reply was cut off', async () => {
    const model = fresh({ contextWindow: 200, maxOutputTokens: 500 });
    const { chunks } = await collect(model, askFor('y'.repeat(80), { maxOutputTokens: 500 }));
    expect(chunks.at(-1)).toEqual({ type: 'finish', reason: 'length' });
  });

  test('ends before a stop string and never shows a part of it', async () => {
    const model = fresh();
    expect(await textOf(model, askFor('before ENDING after', { stop: ['ENDING'] }))).toBe('before ');
    expect(await textOf(model, askFor('the END of it', { stop: ['ENDING'] }))).toBe('the END of it');
  });

  test('must end with the user', async () => {
    const { error } = await collect(fresh(), ask({ messages: [user('a'), assistant('b')] }));
    expect(error?.code).toBe('invalid');
  });

  test('counts tokens exactly once the model is loaded', async () => {
    const model = fresh();
    expect(model.countTokens('Hello there')).toBeGreaterThan(0);
    await collect(model, askFor('a'));
    expect(model.countTokens('äh <|im_end|>')).toBe(5); // a token for each byte, one for the mark
  });
});

describe('several roles', () => {
  test('share one engine; who waits receives how many are before', async () => {
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

  test('one that is stopped while it waits leaves the line', async () => {
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

  test('unloading waits for the call under way; the next call loads again', async () => {
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

describe('a GPU that is lost', () => {
  test('while decoding is told by name, and the same call loads the model again', async () => {
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

  test('between two calls is not even noticed', async () => {
    const made = devices();
    const model = fresh();
    expect(await textOf(model, askFor('one'))).toBe('one');
    made[0]?.destroy();
    await made[0]?.lost;
    expect(await textOf(model, askFor('two'))).toBe('two');
  });

  test('while the model is brought to it had too little memory: the next smaller model is named', async () => {
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
