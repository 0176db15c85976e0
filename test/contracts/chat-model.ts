import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isAbort, RoleZeroError, type ErrorCode } from '../../src/core/error.js';
import type { ChatChunk, ChatModel, ChatRequest } from '../../src/core/model.js';
import { LOCAL_TEMPERATURE } from '../../src/providers/local/defaults.js';
import { ask, collect } from '../fault-server/collect.js';
import { PROVIDERS, type Proven, type Provider } from './provider-table.js';

/** The reply of a model to one call. */
export interface TestReply {
  reasoning?: string;
  /** The text in pieces. */
  pieces?: readonly string[];
  /** Prompt and completion tokens. */
  usage?: readonly [number, number];
  /**
   * Replaces a normal end: an error; silence forever, or endless text; the output limit; or a rejection because the
   * prompt is too long.
   */
  then?: 'fail' | 'hang' | 'cut' | 'overflow';
}

/** What the model's backend received, in the terms of `ChatRequest`; what it did not receive is absent. */
export interface Seen {
  messages: { role: string; text: string }[];
  schema?: unknown;
  seed?: unknown;
  maxOutputTokens?: unknown;
  temperature?: unknown;
  stop?: unknown;
}

type Awaitable<Value> = Value | Promise<Value>;

/** Test setup for one kind of model. Omitted flags are true. */
export interface ModelHarness {
  /** Opens a model that gives these replies, one per call. */
  open(replies: readonly TestReply[]): Awaitable<ChatModel>;
  /** For models whose reply depends on the request: the content that produces this reply. */
  request?(reply: TestReply): Partial<ChatRequest>;
  /** Number of calls started at the backend, and of those still open. */
  calls(): Awaitable<{ begun: number; open: number }>;
  /** The last call as the backend received it. Absent where it cannot be inspected. */
  seen?(): Awaitable<Seen>;
  /** The same text in the smallest pieces of its transport, with characters split. */
  torn(text: string): TestReply;
  /** Error code of a failing reply. */
  failure: ErrorCode;
  /** Its row in the provider table, which must be true. */
  row?: Provider;
  /** Works offline once it is loaded. Default: it needs a server. */
  offline?: true;
  /** The schema of the last call at the backend, where `seen` is not available. */
  seenSchema?(): unknown;
  /** Constrains replies to a schema for real: an engine with a grammar, not a script. */
  constrains?: true;
  /** The same seed really gives the same reply, and another seed a different one. */
  seeds?: true;
  /** It can return its thinking. */
  reasons?: boolean;
  /** Usage is the one of the reply; `false`: its own count; `'never'`: none. */
  counts?: boolean | 'never';
  /** A reply is streamed. */
  streams?: boolean;
  /** It can be silent forever. */
  waits?: boolean;
  /** It can be made to fail, to reject a prompt as too long, or to cut off a reply. */
  fails?: boolean;
  overflows?: boolean;
  cuts?: boolean;
  close?(): Promise<void>;
}

/** Returns whether the chunk is part of the reply itself. */
function isAnswer({ type }: ChatChunk): boolean {
  return type !== 'usage' && type !== 'progress';
}

function textIn(chunks: readonly ChatChunk[]): string {
  return chunks.map((chunk) => (chunk.type === 'text-delta' ? chunk.text : '')).join('');
}

/** Verifies that nothing in it is mutable. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || value instanceof AbortSignal) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}

const SCHEMA = {
  type: 'object',
  properties: { answer: { enum: ['yes', 'no'] } },
  required: ['answer'],
  additionalProperties: false,
};

/** The contract of every `ChatModel`. */
export function chatModelContract(name: string, make: () => Awaitable<ModelHarness>): void {
  describe(`${name} is a model`, () => {
    let harness: ModelHarness;
    beforeAll(async () => {
      harness = await make();
    }, 120_000);
    afterAll(() => harness.close?.());
    const finish: ChatChunk = { type: 'finish', reason: 'stop' };

    const requestFor = (reply: TestReply, more: Partial<ChatRequest> = {}): ChatRequest =>
      ask({ ...harness.request?.(reply), ...more });
    /** Collects the chunks of one reply. */
    const hear = async (reply: TestReply, more: Partial<ChatRequest> = {}) =>
      collect(await harness.open([reply]), requestFor(reply, more));

    it('has a name and a context window', async () => {
      const model = await harness.open([]);
      expect(model.id).not.toBe('');
      expect(model.contextWindow).toBeGreaterThan(0);
    });

    it('streams its reply piece by piece and ends with its finish', async () => {
      const reply: TestReply = { pieces: ['Hello ', 'big ', 'world'] };
      const model = await harness.open([reply]);
      const chunks: ChatChunk[] = [];
      for await (const chunk of model.chat(requestFor(reply))) chunks.push(chunk);
      const texts = chunks.flatMap((chunk) => (chunk.type === 'text-delta' ? [chunk.text] : []));
      expect(texts.join('')).toBe('Hello big world');
      if (harness.streams !== false) expect(texts.length).toBeGreaterThan(1);
      expect(texts).not.toContain('');
      expect(chunks.filter(({ type }) => type === 'finish')).toEqual([finish]);
      expect(chunks.at(-1)).toEqual(finish);
    });

    it('accepts an empty reply', async () => {
      const { chunks, error } = await hear({ pieces: [] });
      expect(chunks.filter(isAnswer)).toEqual([finish]);
      expect(error).toBe(null);
    });

    it('joins characters that its transport splits', async () => {
      const text = 'Grüße 🎉 你好 👩‍👩‍👧';
      const { chunks, error } = await hear(harness.torn(text));
      expect(error).toBe(null);
      expect(textIn(chunks)).toBe(text);
      expect(textIn(chunks)).not.toContain('\uFFFD');
    });

    it('leaves dollars, braces, fences and templates in a text unchanged', async () => {
      const text = 'a $$ b $& c {function_string} `d` ```json\n{"e": "<|im_end|"}\n``` \\n \u2028';
      const { chunks } = await hear({ pieces: [text.slice(0, 20), text.slice(20)] });
      expect(textIn(chunks)).toBe(text);
    });

    it('reports the usage of a call once', async ({ skip }) => {
      if (harness.counts === 'never') skip('it has no usage');
      const { chunks } = await hear({ pieces: ['a'], usage: [1_000, 20] });
      const [usage, ...more] = chunks.filter((chunk) => chunk.type === 'usage');
      expect(more).toEqual([]);
      if (harness.counts === false) expect(usage?.promptTokens).toBeGreaterThan(0);
      else expect(usage).toMatchObject({ type: 'usage', promptTokens: 1_000, completionTokens: 20 });
    });

    it('separates its thinking from its reply', async ({ skip }) => {
      if (harness.reasons === false) skip('it returns no thinking');
      const { chunks } = await hear({ reasoning: 'Hm.', pieces: ['Yes.'] });
      expect(chunks.filter(isAnswer)).toEqual([
        { type: 'reasoning-delta', text: 'Hm.' },
        { type: 'text-delta', text: 'Yes.' },
        finish,
      ]);
    });

    it('reports that its reply was cut off', async ({ skip }) => {
      if (harness.cuts === false) skip('its replies have no limit');
      const { chunks, error } = await hear({ pieces: ['Half a'], then: 'cut' }, { maxOutputTokens: 6 });
      expect(error).toBe(null);
      expect(chunks.at(-1)).toEqual({ type: 'finish', reason: 'length' });
    });

    it('rejects a prompt that is too long by name, and can be called again', async ({ skip }) => {
      if (harness.overflows === false) skip('it reads prompts of any length');
      const replies: TestReply[] = [{ then: 'overflow' }, { pieces: ['Fits.'] }];
      const model = await harness.open(replies);
      const { chunks, error } = await collect(model, requestFor({ then: 'overflow' }));
      expect(chunks.filter(isAnswer)).toEqual([]);
      expect(error?.code).toBe('context-overflow');
      const again = await collect(model, requestFor({ pieces: ['Fits.'] }));
      expect(textIn(again.chunks)).toBe('Fits.');
    });

    it('sends the complete conversation in order', async ({ skip }) => {
      if (harness.seen === undefined) return skip('the backend cannot be inspected');
      await hear(
        { pieces: ['a'] },
        {
          messages: [
            { role: 'system', content: 'Be kind.' },
            { role: 'user', content: 'Hi $& 🎉' },
            { role: 'assistant', content: 'Hello.' },
            { role: 'user', content: [{ type: 'text', text: 'And now?' }] },
          ],
        },
      );
      expect((await harness.seen()).messages).toEqual([
        { role: 'system', text: 'Be kind.' },
        { role: 'user', text: 'Hi $& 🎉' },
        { role: 'assistant', text: 'Hello.' },
        { role: 'user', text: 'And now?' },
      ]);
    });

    it('passes on a schema, a seed and limits where it declares support, and nothing else', async ({
      skip,
    }) => {
      if (harness.seen === undefined) return skip('the backend cannot be inspected');
      const reply: TestReply = { pieces: ['{"answer":"yes"}'] };
      const model = await harness.open([reply, reply]);
      const requests = {
        responseSchema: SCHEMA,
        seed: 7,
        maxOutputTokens: 40,
        temperature: 0.5,
        stop: ['END'],
      };
      await collect(model, requestFor(reply, requests));
      const { schema, seed, maxOutputTokens, temperature, stop } = await harness.seen();
      expect(schema).toEqual(model.supports?.jsonSchema ? SCHEMA : undefined);
      expect(seed).toBe(model.supports?.seed ? 7 : undefined);
      expect({ maxOutputTokens, temperature, stop }).toEqual({
        maxOutputTokens: 40,
        temperature: 0.5,
        stop: ['END'],
      });
      await collect(model, requestFor(reply));
      const { messages, temperature: unasked, ...plain } = await harness.seen();
      expect(messages.length).toBeGreaterThan(0);
      expect([undefined, LOCAL_TEMPERATURE]).toContain(unasked); // in place of llama.cpp's
      expect(Object.values(plain).filter((value) => value !== undefined)).toEqual([]);
    });

    it('constrains its reply to a schema', async ({ skip }) => {
      if (harness.constrains !== true) skip('its replies are scripted');
      const model = await harness.open([{}]);
      expect(model.supports?.jsonSchema).toBe(true);
      for (let seed = 1; seed <= 5; seed++) {
        const { chunks, error } = await collect(
          model,
          ask({ responseSchema: SCHEMA, maxOutputTokens: 200, seed, temperature: 1 }),
        );
        expect(error).toBe(null);
        expect(chunks.at(-1)).toEqual(finish);
        expect([{ answer: 'yes' }, { answer: 'no' }]).toContainEqual(JSON.parse(textIn(chunks)));
      }
    });

    it('passes on a schema', async ({ skip }) => {
      if (harness.seenSchema === undefined) return skip('covered by another test, or not supported');
      const reply: TestReply = { pieces: ['{"answer":"yes"}'] };
      await collect(await harness.open([reply]), requestFor(reply, { responseSchema: SCHEMA }));
      expect(harness.seenSchema()).toEqual(SCHEMA);
    });

    it('works offline, or not, as the provider table says', async ({ skip }) => {
      if (harness.row === undefined) skip('it has no row');
      const reply: TestReply = { pieces: ['Hello ', 'big ', 'world'] };
      const model = await harness.open([reply, reply, reply, reply, reply, reply, reply]);
      await collect(model, requestFor(reply)); // Now it is loaded.
      const network = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new TypeError('There is no network.'));
      try {
        const stopping = AbortSignal.timeout(harness.offline === true ? 60_000 : 300);
        const { chunks, error } = await collect(model, requestFor(reply, { signal: stopping }));
        expect(error === null && textIn(chunks) === 'Hello big world').toBe(harness.offline === true);
        if (harness.offline !== true) expect(network).toHaveBeenCalled();
      } finally {
        network.mockRestore();
      }
    });

    it('matches its row in the provider table', async ({ skip }) => {
      if (harness.row === undefined) return skip('it has no row');
      const { supports } = await harness.open([]);
      const isSeen = harness.seen !== undefined || harness.seenSchema !== undefined;
      const found: Proven = {
        streaming: harness.streams === false ? 'whole replies' : 'yes',
        schema: harness.constrains
          ? 'enforced by grammar'
          : supports?.jsonSchema && isSeen
            ? 'passed on'
            : 'no',
        abort: 'yes', // No harness can leave that out.
        usage: harness.counts === 'never' ? 'none' : 'tokens',
        offline: harness.offline ? 'once loaded' : 'no',
      };
      expect(PROVIDERS[harness.row]).toMatchObject(found);
    });

    it('gives the same reply for the same seed', async ({ skip }) => {
      if (harness.seeds !== true) skip('its replies are scripted');
      const model = await harness.open([{}, {}, {}]);
      const answers = async (seed: number) =>
        textIn((await collect(model, ask({ seed, temperature: 1, maxOutputTokens: 24 }))).chunks);
      const [first, second, other] = [await answers(7), await answers(7), await answers(8)];
      expect(first).not.toBe('');
      expect(second).toBe(first);
      expect(other).not.toBe(first);
    });

    it('does not modify the request', async () => {
      const reply: TestReply = { pieces: ['a'] };
      const { error } = await collect(await harness.open([reply]), frozen(requestFor(reply)));
      expect(error).toBe(null);
    });

    it('counts the tokens of a text, if it can', async ({ skip }) => {
      const model = await harness.open([]);
      if (model.countTokens === undefined) return skip('it does not count tokens');
      const counts = [await model.countTokens('one'), await model.countTokens('one two three '.repeat(50))];
      expect(counts[0]).toBeGreaterThan(0);
      expect(counts[1]).toBeGreaterThan((counts[0] ?? 0) + 50);
    });

    it('sends nothing for a call that is already stopped', async () => {
      const model = await harness.open([{ pieces: ['a'] }]);
      const before = (await harness.calls()).begun;
      const { chunks, error } = await collect(
        model,
        requestFor({ pieces: ['a'] }, { signal: AbortSignal.abort() }),
      );
      expect({ chunks, aborted: isAbort(error) }).toEqual({ chunks: [], aborted: true });
      expect((await harness.calls()).begun).toBe(before);
    });

    it('stops in the middle of its reply, and so does the backend; then it accepts the next call', async () => {
      const endless: TestReply = { pieces: ['a long beginning, ', 'and more'], then: 'hang' };
      const next: TestReply = { pieces: ['Next.'] };
      const model = await harness.open([endless, next]);
      const stopping = new AbortController();
      let heard = 0;
      const call = (async () => {
        for await (const chunk of model.chat(requestFor(endless, { signal: stopping.signal }))) {
          if (chunk.type !== 'text-delta') continue;
          heard += 1;
          stopping.abort();
        }
      })();
      if (harness.streams === false) setTimeout(() => stopping.abort(), 20);
      await expect(call).rejects.toSatisfy(isAbort);
      expect(heard).toBe(harness.streams === false ? 0 : 1);
      await expect.poll(async () => (await harness.calls()).open).toBe(0);
      expect(textIn((await collect(model, requestFor(next))).chunks)).toBe('Next.');
    });

    it('stops while it waits for its first chunk', async ({ skip }) => {
      if (harness.waits === false) skip('it never waits');
      const silent: TestReply = { then: 'hang' };
      const model = await harness.open([silent]);
      const stopping = new AbortController();
      const call = collect(model, requestFor(silent, { signal: stopping.signal }));
      await expect.poll(async () => (await harness.calls()).open).toBe(1);
      stopping.abort(new Error('enough'));
      const { error } = await call;
      expect(error?.code).toBe('aborted');
      await expect.poll(async () => (await harness.calls()).open).toBe(0);
    });

    it('ends when its reader stops reading, and accepts the next call', async ({ skip }) => {
      if (harness.streams === false) skip('it does not stream');
      const endless: TestReply = { pieces: ['a long beginning, ', 'and more'], then: 'hang' };
      const next: TestReply = { pieces: ['Next.'] };
      const model = await harness.open([endless, next]);
      for await (const chunk of model.chat(requestFor(endless))) if (chunk.type === 'text-delta') break;
      await expect.poll(async () => (await harness.calls()).open).toBe(0);
      expect(textIn((await collect(model, requestFor(next))).chunks)).toBe('Next.');
    });

    it('ignores a stop after its end', async () => {
      const stopping = new AbortController();
      const { chunks, error } = await hear({ pieces: ['a'] }, { signal: stopping.signal });
      stopping.abort();
      expect([textIn(chunks), error]).toEqual(['a', null]);
      expect(textIn((await hear({ pieces: ['b'] })).chunks)).toBe('b');
    });

    it('reports errors by name, in plain data', async ({ skip }) => {
      if (harness.fails === false) skip('it cannot be made to fail');
      const { chunks, error } = await hear({ then: 'fail' });
      expect(chunks.filter(({ type }) => type === 'text-delta' || type === 'finish')).toEqual([]);
      expect(error).toBeInstanceOf(RoleZeroError);
      expect(error?.code).toBe(harness.failure);
      expect(error?.message).not.toBe('');
      expect(() => structuredClone(error?.toData())).not.toThrow();
    });

    it('serves two calls in parallel without mixing them', async () => {
      const reply: TestReply = { pieces: ['one ', 'two'] };
      const model = await harness.open([reply, reply]);
      const both = await Promise.all([collect(model, requestFor(reply)), collect(model, requestFor(reply))]);
      expect(both.map(({ chunks, error }) => [textIn(chunks), error])).toEqual([
        ['one two', null],
        ['one two', null],
      ]);
    });
  });
}
