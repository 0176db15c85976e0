import { describe, expect, it } from 'vitest';
import { UserMessage } from '../../../src/core/message.js';
import type { ChatMessage } from '../../../src/core/model.js';
import { LongTermMemory } from '../../../src/memory/long-term-memory.js';
import type { LongTermMemoryOptions } from '../../../src/memory/long-term-memory-options.js';
import { longTermMemory } from '../../../src/parts/long-term/long-term.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import type { RoleZeroOptions } from '../../../src/agent/runtime/role-zero-options.js';
import { commands, runRole, scriptedModel, type Script } from '../../../src/testing/index.js';

const longTermOf = (role: RoleZero) => role.memory as LongTermMemory;
const done = (content: string) => commands(['RoleZero.reply_to_human', { content }], ['end', {}]);
const last = ({ messages }: { messages: readonly ChatMessage[] }) => messages.at(-1)?.content as string;

/** A role with a window of two messages, and requests in order. */
async function talk(
  asked: readonly string[],
  options: { memory?: LongTermMemoryOptions; script?: Script; role?: RoleZeroOptions; window?: number } = {},
) {
  const model = scriptedModel(
    options.script ?? { think: asked.map((request) => done(`Noted: ${request.slice(0, 40)}`)) },
    { contextWindow: options.window ?? 100_000 },
  );
  const role = new RoleZero({
    callPlan: 'classic',
    model,
    summarize: false,
    longTermMemory: longTermMemory({ maxMessages: 2, similarityTopK: 1, ...options.memory }),
    ...options.role,
  });
  const results = [];
  for (const request of asked) results.push(await runRole(role, request));
  return { role, results };
}

/** The sections of a prompt by their headings. */
const memoriesIn = (prompt: string) => /# Memories\n.*\n([^]*?)(?:\n\n|$)/.exec(prompt)?.[1] ?? null;

describe('a RoleZero with long-term memory', () => {
  it('adds old memories to the first message of a request, and reports which', async () => {
    const { role, results } = await talk([
      'My cat is called Mimi.',
      'Sort the list.',
      'What is my cat called?',
    ]);
    const prompts = results.map(({ requests }) => requests.map(last));
    expect(prompts[1]?.map(memoriesIn)).toEqual(prompts[1]?.map(() => null)); // nothing in common but "the"
    expect(prompts[2]?.map(memoriesIn)).toEqual([
      '- 2026-01-01, User: My cat is called Mimi.',
      ...(prompts[2] ?? []).slice(1).map(() => null), // Sent once.
    ]);
    expect(prompts[2]?.[0]).toMatch(/What is my cat called\?\n\n# Memories\n[^]*\n\nBefore any work/);
    const events = results.map((result) => result.events.filter(({ type }) => type === 'memory-recalled'));
    const ids = (await longTermOf(role).list()).slice(0, 1).map(({ id }) => id);
    expect(events).toEqual([[], [], [{ type: 'memory-recalled', role: 'Zero', ids }]]);
  });

  it('answers at once from its memories', async () => {
    const { results } = await talk(['My cat is called Mimi.', 'Sort the list.', 'What is my cat called?'], {
      script: {
        classify: ['Response Category: TASK', 'Response Category: TASK', 'Response Category: QUICK'],
        think: [done('one'), done('two')],
        quick: 'Mimi',
      },
    });
    expect(results[2]?.human.replies).toEqual(['Mimi']);
    expect(results[2]?.requests.map(({ purpose }) => purpose)).toEqual(['classify', 'quick']);
    expect(results[2]?.requests.map(last).map(memoriesIn)).toEqual([
      '- 2026-01-01, User: My cat is called Mimi.',
      null,
    ]);
  });

  it('only ever adds to the conversation', async () => {
    const { results } = await talk(['My cat is Mimi.', 'Sort the list.', 'Which cat?', 'Which cat is it?']);
    const requests = results.flatMap((result) => result.requests.map(({ messages }) => messages));
    for (const [at, messages] of requests.entries()) {
      const before = requests[at - 1] ?? [];
      expect(messages.slice(0, before.length)).toEqual(before);
    }
  });

  it('does not repeat a memory that is still in the prompt', async () => {
    const { results } = await talk(
      [
        'My cat is called Mimi.',
        'Sort the list.',
        'What is my cat called?',
        'Really: what is my cat called?',
      ],
      { memory: { maxMessages: 6 }, script: { think: ['a', 'b', 'c', 'd'].map(done) } },
    );
    const recalled = results.map(({ requests }) =>
      requests
        .map(last)
        .map(memoriesIn)
        .filter((text) => text !== null),
    );
    expect(recalled).toEqual([[], [], ['- 2026-01-01, User: My cat is called Mimi.'], []]);
  });

  it('repeats it after a compaction', async () => {
    const long = 'x '.repeat(4_500);
    const write = (place: number) => commands(['RoleZero.reply_to_human', { content: `${place} ${long}` }]);
    const { results } = await talk(['My cat is called Mimi.', 'Sort the list.', 'What is my cat called?'], {
      script: { think: [done('one'), done('two'), write(1), write(2), write(3), write(4), done('Mimi')] },
      window: 24_000,
    });
    const prompts = results[2]?.requests.map(last) ?? [];
    const compacted = prompts.findIndex((prompt) => prompt.includes('were left out to save room'));
    expect(compacted).toBeGreaterThan(1);
    expect(prompts.slice(0, compacted + 1).map(memoriesIn)).toEqual([
      '- 2026-01-01, User: My cat is called Mimi.',
      ...prompts.slice(1, compacted).map(() => null),
      '- 2026-01-01, User: My cat is called Mimi.',
    ]);
  });

  it('shortens a long memory, and limits all of them to a tenth of a small window', async () => {
    const { results } = await talk(
      [`My cat: ${'Mimi '.repeat(2_000)}`, 'Sort the list.', 'Is Mimi my cat?'],
      {
        window: 16_000,
        script: { think: ['a', 'b', 'c'].map(done) },
      },
    );
    const answers = memoriesIn(results[2]?.requests.map(last)[0] ?? '') ?? '';
    expect(answers).toMatch(/^- 2026-01-01, User: My cat: Mimi [^]*characters left out here/);
    expect(answers.length).toBeLessThan(16_000 * 3 * 0.1 + 100);
  });

  it('reads every message before it leaves the window, however small that is', async () => {
    const model = scriptedModel({ think: [done('read')] });
    const role = new RoleZero({
      callPlan: 'classic',
      model,
      longTermMemory: longTermMemory({ maxMessages: 1 }),
    });
    for (let at = 0; at < 5; at++)
      role.agent.putMessage(new UserMessage(`overheard ${at}`, { causeBy: 'Other' }));
    await role.run('What was said?');
    expect(model.requests.map(last)[0]).toMatch(
      /^overheard 0\n\noverheard 1\n\noverheard 2\n\noverheard 3\n\noverheard 4\n\nWhat was said\?/,
    );
  });

  it('lets the model choose when configured, once per request', async () => {
    const { results } = await talk(['My cat is Mimi.', 'My cat is old.', 'Sort the list.', 'Which cat?'], {
      memory: { useLlmRanker: true },
      script: { think: ['a', 'b', 'c', 'd'].map(done), rank: ['none', 'none', 'Doc: 2, Relevance: 8'] },
    });
    const ranked = results.map(({ requests }) => requests.filter(({ purpose }) => purpose === 'rank').length);
    expect(ranked.at(-1)).toBe(1);
    expect(
      results
        .at(-1)
        ?.requests.map(({ purpose }) => purpose)
        .slice(0, 2),
    ).toEqual(['rank', 'classify']);
  });

  it('is off by default, and all messages stay in the window', async () => {
    const { role, results } = await talk(
      ['My cat is called Mimi.', 'Sort the list.', 'What is my cat called?'],
      {
        role: { longTermMemory: undefined as never },
      },
    );
    expect(role.memory).not.toBeInstanceOf(LongTermMemory);
    expect(
      results.flatMap(({ requests }) => requests.map(last).map(memoriesIn)).filter((text) => text !== null),
    ).toEqual([]);
    expect(results[2]?.memory[0]?.content).toBe('My cat is called Mimi.');
  });

  it('holds no more than its window in a run of any length', async () => {
    const steps = Array.from({ length: 60 }, (_, at) =>
      commands(['RoleZero.reply_to_human', { content: `part ${at}` }]),
    );
    const { role, results } = await talk(['Write sixty parts.'], {
      memory: { maxMessages: 10 },
      script: { think: [...steps, done('all')] },
      role: { maxSteps: 100 },
    });
    expect(results[0]?.outcome.status).toBe('done');
    expect(role.memory.storage).toHaveLength(10);
    const items = await longTermOf(role).list();
    expect(items.length + 10).toBe(role.memory.count());
    expect(items[0]?.message.content).toBe('Write sixty parts.');
    expect(items.map(({ createdAt }) => createdAt)).toEqual(items.map(() => items[0]?.createdAt));
  });
});
