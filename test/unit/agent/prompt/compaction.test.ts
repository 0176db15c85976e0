import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { RoleZeroError } from '../../../../src/core/error.js';
import type { ChatModel, ChatRequest } from '../../../../src/core/model.js';
import { defineTool } from '../../../../src/core/define-tool.js';
import type { LongTermMemory } from '../../../../src/memory/long-term-memory.js';
import { longTermMemory } from '../../../../src/parts/long-term/long-term.js';
import { RoleZero } from '../../../../src/agent/role-zero.js';
import { commands, runRole, scriptedModel } from '../../../../src/testing/index.js';

const countTokens = (text: string): number => Math.ceil(text.length / 4);
const ending = commands(['RoleZero.reply_to_human', { content: 'done' }], ['end', {}]);
const look = defineTool({
  name: 'Room.look',
  description: 'Looks into a room.',
  input: z.object({ number: z.number() }),
  run: ({ number }) =>
    `In room ${number} there is ${'dust and '.repeat(80)}a key with the number ${number * 7}.`,
});
const looks = (count: number) =>
  Array.from({ length: count }, (_, number) => commands(['Room.look', { number }]));
const last = ({ messages }: ChatRequest): string => String(messages.at(-1)?.content);
const text = ({ messages }: ChatRequest): string => messages.map(({ content }) => String(content)).join('\n');

const summary = 'Asked: find the keys. Room 0 has key 0, room 1 has key 7.';
const model = (think: string[], contextWindow = 3_400) =>
  scriptedModel({ think, compact: summary }, { contextWindow, countTokens, maxOutputTokens: 800 });

describe('compaction of a conversation', () => {
  it('summarizes what leaves, sends the summary once, and continues from there', async () => {
    const { requests, outcome } = await runRole(
      new RoleZero({ model: model([...looks(14), ending]), preset: 'full', tools: [look] }),
      'find the keys',
    );
    expect(outcome.status).toBe('done');
    const asked = requests.filter(({ purpose }) => purpose === 'compact');
    expect(asked.length).toBeGreaterThan(0);
    // Requested as the next message of the conversation, whose prefix an engine has cached.
    const before = requests[requests.indexOf(asked[0] as ChatRequest) - 1] as ChatRequest;
    expect(asked[0]?.messages.slice(0, before.messages.length)).toEqual(before.messages);
    expect(asked[0]?.messages).toHaveLength(before.messages.length + 2);
    expect(last(asked[0] as ChatRequest)).toContain(
      'The oldest part of this conversation must be removed now',
    );
    const next = requests[requests.indexOf(asked[0] as ChatRequest) + 1] as ChatRequest;
    expect(last(next)).toContain(`left out to save room. Your notes on them:\n${summary}`);
    expect(last(next)).toContain('[GOAL] find the keys');
    const after = requests[requests.indexOf(next) + 1] as ChatRequest;
    expect(after.messages.slice(0, next.messages.length)).toEqual(next.messages);
  });

  it('summarizes in a separate conversation what the model can no longer read at once', async () => {
    const wide = model([...looks(14), ending], 9_000);
    const asked: ChatRequest[] = [];
    let narrow = false;
    const shrinking: ChatModel = {
      ...wide,
      get contextWindow() {
        return narrow ? 3_000 : 9_000; // Another model takes over, with a smaller window.
      },
      async *chat(request) {
        narrow ||= request.messages.length > 22;
        asked.push(request);
        yield* wide.chat(request);
      },
    };
    const { outcome } = await runRole(
      new RoleZero({ model: shrinking, preset: 'full', tools: [look] }),
      'find the keys',
    );
    expect(outcome.status).toBe('done');
    const apart = asked.find(({ purpose }) => purpose === 'compact');
    expect(apart?.messages).toHaveLength(1);
    expect(last(apart as ChatRequest)).toMatch(/They: [^]*You: /);
  });

  it('requests no summary where there is little to summarize, or no space for one', async () => {
    const small = await runRole(
      new RoleZero({ model: model([...looks(6), ending], 1_850), preset: 'full', tools: [look] }),
      'find the keys',
    );
    expect(small.outcome.status).toBe('done');
    expect(small.requests.some((request) => last(request).includes('left out to save room'))).toBe(true);
    expect(small.requests.filter(({ purpose }) => purpose === 'compact')).toEqual([]);
  });

  it.each([
    ['cannot give one', null],
    ['only returns thinking', '<think>What was it all about?</think>\n'],
  ])('continues without a summary when the model %s, and reports it', async (_, reply) => {
    const scripted = model([...looks(14), ending]);
    const failing: ChatModel = {
      ...scripted,
      async *chat(request) {
        if (request.purpose !== 'compact') {
          yield* scripted.chat(request);
          return;
        }
        if (reply === null) throw new RoleZeroError('model-request', 'Not today.');
        yield { type: 'text-delta', text: reply };
        yield { type: 'finish', reason: 'stop' };
      },
    };
    const { outcome, events } = await runRole(
      new RoleZero({ model: failing, preset: 'full', tools: [look] }),
      'find the keys',
    );
    expect(outcome.status).toBe('done');
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'warning',
        code: 'model-request',
        message:
          'Could not summarize the messages that leave the conversation; continuing without a summary.',
      }),
    );
  });

  it('moves old messages to long-term memory, and keeps the newest in the prompt', async () => {
    const role = new RoleZero({
      model: model([...looks(24), ending]),
      preset: 'full',
      tools: [look],
      longTermMemory: longTermMemory(),
    });
    const { memory } = await runRole(role, 'find the keys');
    const longTerm = role.memory as LongTermMemory;
    const archived = await longTerm.list();
    expect(archived.length).toBeGreaterThan(0);
    expect(memory.length).toBeGreaterThanOrEqual(20);
    expect(memory.map(({ id }) => id)).not.toContain(archived[0]?.id);
    expect(archived[0]?.message.content).toBe('find the keys');
    expect(archived.length + memory.length).toBe(role.memory.count());
    const found = await longTerm.search('the key with the number 7 in the dust of room 1', 5);
    expect(found.map(({ message }) => message.content).join('\n')).toContain('a key with the number 7.');
  });

  it('does not change the conversation when the call fails, and does not pay for a summary twice', async () => {
    const scripted = model([...looks(14), ending]);
    let fails = 0;
    const once: ChatModel = {
      ...scripted,
      async *chat(request) {
        if (last(request).includes('Your notes on them') && fails++ === 0)
          throw new RoleZeroError('model-request', 'Broken.');
        yield* scripted.chat(request);
      },
    };
    const role = new RoleZero({ model: once, preset: 'full', tools: [look] });
    const first = await runRole(role, 'find the keys');
    expect(first.outcome.status).toBe('failed');
    expect(role.agent.isResumable).toBe(true);
    const failed = first.requests.at(-1) as ChatRequest;
    const paid = first.requests.filter(({ purpose }) => purpose === 'compact').length;
    // The summary is in the stored state, and so is the conversation before the cut.
    expect(paid).toBe(1);
    expect(last(failed)).toContain(summary);
  });
});

describe('a model with a smaller window than assumed', () => {
  it('receives a shorter prompt after a rejection, and later prompts stay short', async () => {
    const scripted = scriptedModel(
      { think: [...looks(14), ending] },
      { contextWindow: 8_000, maxOutputTokens: 800 }, // It does not count, and uses more tokens than estimated.
    );
    const taken = (request: ChatRequest) => Math.ceil(text(request).length / 1.9);
    let refused = 0;
    const strict: ChatModel = {
      ...scripted,
      async *chat(request) {
        if (taken(request) + 800 > 8_000) {
          refused += 1;
          throw new RoleZeroError('context-overflow', 'Too long.');
        }
        yield* scripted.chat(request);
      },
    };
    const { outcome, events } = await runRole(
      new RoleZero({ model: strict, preset: 'full', tools: [look] }),
      'find the keys',
    );
    expect(outcome.status).toBe('done');
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThan(5);
    expect(events.filter(({ type }) => type === 'warning')).toHaveLength(refused);
  });

  it('corrects the estimate by what its prompts really take', async () => {
    const scripted = scriptedModel(
      { think: [...looks(14), ending] },
      { contextWindow: 8_000, maxOutputTokens: 800 },
    );
    const taken = (request: ChatRequest) => Math.ceil(text(request).length / 1.9);
    let most = 0;
    const telling: ChatModel = {
      ...scripted,
      async *chat(request) {
        most = Math.max(most, taken(request) + (request.maxOutputTokens ?? 0));
        for await (const chunk of scripted.chat(request))
          yield chunk.type === 'usage' ? { ...chunk, promptTokens: taken(request) } : chunk;
      },
    };
    const { outcome } = await runRole(
      new RoleZero({ model: telling, preset: 'full', tools: [look] }),
      'find the keys',
    );
    expect(outcome.status).toBe('done');
    expect(most).toBeLessThanOrEqual(8_000);
  });
});
