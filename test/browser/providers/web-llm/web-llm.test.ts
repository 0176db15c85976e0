/** @module-tag chromium */
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { isAbort } from '../../../../src/core/error.js';
import { memoryFor } from '../../../../src/providers/web-llm/choose-model.js';
import { chooseModel, recommendModel, webLLM } from '../../../../src/providers/web-llm/index.js';
import { ask, collect, textOf } from '../../../fault-server/collect.js';
import { tinyModel } from '../../../tiny-model/tiny-model.js';
import { fresh, ended, user, assistant, askFor, kinds, progress } from './bench.js';

describe('loading', () => {
  test('reports bytes while downloading, steps while compiling, then the reply', async () => {
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
      phase: 'downloading',
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

  test("loads from the browser's cache without a network", async () => {
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

  test('reports a broken download and continues it where it stopped', async () => {
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

  test('can run in advance and be stopped', async () => {
    const model = fresh();
    const stopping = new AbortController();
    const reported: string[] = [];
    const loading = (async () => {
      for await (const { text } of model.load(stopping.signal)) {
        reported.push(text);
        if (text.startsWith('Looking')) stopping.abort();
      }
    })();
    await expect(loading).rejects.toSatisfy(isAbort);
    expect(reported.at(-1)).toBe('Looking for the weights of tiny.');
    await expect.poll(() => model.calls).toBe(0);
    for await (const { text } of model.load()) reported.push(text);
    expect(reported.at(-1)).toMatch(/^tiny is ready on WebGPU/);
    const { chunks } = await collect(model, askFor('a'));
    expect(progress(chunks)).toEqual([]);
  });

  test('reports missing WebGPU before any download', async () => {
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

  test('names what this GPU lacks and a smaller model that fits', async () => {
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
  test('considers the GPU and the memory of this machine', async () => {
    const memory = Reflect.get(navigator, 'deviceMemory') as number | undefined;
    const adapter = await navigator.gpu.requestAdapter({ powerPreference: 'high-performance' });
    const chosen = await chooseModel();
    expect(chosen).toEqual(recommendModel(adapter, { memoryMB: memoryFor(memory ?? null) }));
    // Without a GPU in the test environment, the reason says so.
    if (adapter?.info.isFallbackAdapter)
      expect(chosen.reason).toContain('runs on the processor instead of a GPU');
  });

  test('returns none where the browser has no WebGPU or denies it', async () => {
    onTestFinished(() => {
      vi.restoreAllMocks();
    });
    const asked = vi.spyOn(GPU.prototype, 'requestAdapter').mockResolvedValueOnce(null);
    const none = await chooseModel();
    asked.mockRejectedValueOnce(new DOMException('blocked', 'OperationError'));
    expect([none, await chooseModel()]).toEqual([recommendModel(null), recommendModel(null)]);
  });
});

describe('a call', () => {
  test('reports the speed of reading and writing', async () => {
    const { chunks } = await collect(fresh(), askFor('some words'));
    expect(chunks.find(({ type }) => type === 'usage')).toEqual({
      type: 'usage',
      promptTokens: expect.any(Number) as number,
      completionTokens: 'some words'.length + 1, // and the token that ends it
      cachedPromptTokens: 0,
      costUsd: 0,
      rates: {
        promptTokensPerSecond: expect.toSatisfy((rate: number) => rate > 0) as number,
        completionTokensPerSecond: expect.toSatisfy((rate: number) => rate > 0) as number,
      },
    });
  });

  test('that is stopped while decoding ends at once and releases the engine', async () => {
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

  test('does not block others while it is not consumed', async () => {
    const model = fresh();
    const idle = model.chat(askFor('nobody listens to this'))[Symbol.asyncIterator]();
    await idle.next();
    expect(await textOf(model, askFor('next'))).toBe('next');
    await idle.return?.();
  });

  test('beyond the window is rejected by name, and the engine remains usable', async () => {
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

  test('that fills the window reports that its reply was cut off', async () => {
    const model = fresh({ contextWindow: 200, maxOutputTokens: 500 });
    const { chunks } = await collect(model, askFor('y'.repeat(80), { maxOutputTokens: 500 }));
    expect(chunks.at(-1)).toEqual({ type: 'finish', reason: 'length' });
  });

  test('ends before a stop string and never returns a part of it', async () => {
    const model = fresh();
    expect(await textOf(model, askFor('before ENDING after', { stop: ['ENDING'] }))).toBe('before ');
    expect(await textOf(model, askFor('the END of it', { stop: ['ENDING'] }))).toBe('the END of it');
  });

  test('must end with the user', async () => {
    const { error } = await collect(fresh(), ask({ messages: [user('a'), assistant('b')] }));
    expect(error?.code).toBe('invalid');
  });

  test('counts tokens exactly after the model was loaded', async () => {
    const model = fresh();
    expect(model.countTokens('Hello there')).toBeGreaterThan(0);
    await collect(model, askFor('a'));
    expect(model.countTokens('äh <|im_end|>')).toBe(5); // One token per byte and one for the marker.
  });
});
