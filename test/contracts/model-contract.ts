import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isAbort, RoleZeroError, type ErrorCode } from '../../src/base/error.js';
import type { ChatChunk, ChatModel } from '../../src/base/model.js';
import { ask, collect, textOf } from '../fault-server/collect.js';

/** What a model is to reply to one call. */
export interface TestReply {
  reasoning?: string;
  /** The text, in as many pieces. */
  pieces?: readonly string[];
  /** Prompt and completion tokens. */
  usage?: readonly [number, number];
  /** What comes instead of the end: an error, or nothing for ever. */
  then?: 'fail' | 'hang';
}

/** How one kind of model is set up. */
export interface ModelHarness {
  /** A model that gives these replies, one a call. */
  open(replies: readonly TestReply[]): ChatModel;
  /** Calls that were begun at the other side, and those among them that are still open. */
  calls(): { begun: number; open: number };
  /** The same text in the smallest pieces its transport knows, characters torn apart. */
  torn(text: string): TestReply;
  /** What a failing reply is called. */
  failure: ErrorCode;
  /** False for a model that cannot think aloud, or not count as it is told. */
  reasons?: boolean;
  counts?: boolean;
  close?(): Promise<void>;
}

/** Not about the call, but of the reply itself. */
function isSaid({ type }: ChatChunk): boolean {
  return type !== 'usage' && type !== 'progress';
}

/** What holds for every model (`ChatModel`). */
export function modelContract(name: string, make: () => Promise<ModelHarness> | ModelHarness): void {
  describe(`${name} is a model`, () => {
    let harness: ModelHarness;
    beforeAll(async () => {
      harness = await make();
    });
    afterAll(() => harness.close?.());
    const finish: ChatChunk = { type: 'finish', reason: 'stop' };

    it('says who it is and how much it can read', () => {
      const model = harness.open([]);
      expect(model.id).not.toBe('');
      expect(model.contextWindow).toBeGreaterThan(0);
    });

    it('streams its reply piece by piece and ends with its finish', async () => {
      const chunks: ChatChunk[] = [];
      for await (const chunk of harness.open([{ pieces: ['Hello ', 'big ', 'world'] }]).chat(ask()))
        chunks.push(chunk);
      const texts = chunks.flatMap((chunk) => (chunk.type === 'text-delta' ? [chunk.text] : []));
      expect(texts.join('')).toBe('Hello big world');
      expect(texts.length).toBeGreaterThan(1);
      expect(texts).not.toContain('');
      expect(chunks.filter(({ type }) => type === 'finish')).toEqual([finish]);
      expect(chunks.at(-1)).toEqual(finish);
    });

    it('may have nothing to say', async () => {
      const { chunks, error } = await collect(harness.open([{ pieces: [] }]));
      expect(chunks.filter(isSaid)).toEqual([finish]);
      expect(error).toBe(null);
    });

    it('keeps characters whole that its transport tears apart', async () => {
      const text = 'Grüße 🎉 你好 👩‍👩‍👧';
      expect(await textOf(harness.open([harness.torn(text)]))).toBe(text);
    });

    it('counts what a call took', async () => {
      const { chunks } = await collect(harness.open([{ pieces: ['a'], usage: [1_000, 20] }]));
      const [usage, ...more] = chunks.filter((chunk) => chunk.type === 'usage');
      expect(more).toEqual([]);
      if (harness.counts === false) expect(usage?.promptTokens).toBeGreaterThan(0);
      else expect(usage).toMatchObject({ type: 'usage', promptTokens: 1_000, completionTokens: 20 });
    });

    it('keeps what it thinks aloud apart from what it says', async ({ skip }) => {
      if (harness.reasons === false) skip('it cannot think aloud');
      const { chunks } = await collect(harness.open([{ reasoning: 'Hm.', pieces: ['Yes.'] }]));
      expect(chunks.filter(isSaid)).toEqual([
        { type: 'reasoning-delta', text: 'Hm.' },
        { type: 'text-delta', text: 'Yes.' },
        finish,
      ]);
    });

    it('is not even asked by a call that is stopped already', async () => {
      const model = harness.open([{ pieces: ['a'] }]);
      const before = harness.calls().begun;
      const { chunks, error } = await collect(model, ask({ signal: AbortSignal.abort() }));
      expect({ chunks, aborted: isAbort(error) }).toEqual({ chunks: [], aborted: true });
      expect(harness.calls().begun).toBe(before);
    });

    it('stops in the middle of its reply, and so does the other side', async () => {
      const model = harness.open([{ pieces: ['a long beginning, ', 'and more'], then: 'hang' }]);
      const stopping = new AbortController();
      const heard: string[] = [];
      const call = (async () => {
        for await (const chunk of model.chat(ask({ signal: stopping.signal }))) {
          if (chunk.type !== 'text-delta') continue;
          heard.push(chunk.text);
          stopping.abort();
        }
      })();
      await expect(call).rejects.toSatisfy(isAbort);
      expect(heard).toHaveLength(1);
      await vi.waitFor(() => expect(harness.calls().open).toBe(0));
    });

    it('is done with when nobody listens any more', async () => {
      const model = harness.open([{ pieces: ['a long beginning, ', 'and more'], then: 'hang' }]);
      for await (const chunk of model.chat(ask())) if (chunk.type === 'text-delta') break;
      await vi.waitFor(() => expect(harness.calls().open).toBe(0));
    });

    it('calls what goes wrong by name', async () => {
      const { chunks, error } = await collect(harness.open([{ then: 'fail' }]));
      expect(chunks.filter(({ type }) => type === 'text-delta' || type === 'finish')).toEqual([]);
      expect(error).toBeInstanceOf(RoleZeroError);
      expect(error?.code).toBe(harness.failure);
      expect(error?.message).not.toBe('');
    });

    it('serves two calls at once without mixing them', async () => {
      const model = harness.open([{ pieces: ['one ', 'two'] }, { pieces: ['one ', 'two'] }]);
      expect(await Promise.all([textOf(model), textOf(model)])).toEqual(['one two', 'one two']);
    });
  });
}
