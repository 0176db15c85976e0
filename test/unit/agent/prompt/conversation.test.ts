import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatModel } from '../../../../src/core/model.js';
import { Conversation, headAndTail } from '../../../../src/agent/prompt/conversation.js';
import type { ConversationMessage } from '../../../../src/agent/prompt/conversation-message.js';

const countTokens = (text: string): number => Math.ceil(text.length / 2);

function conversation(
  contextWindow: number,
  maxTurns = 200,
  compactAt = 1,
): { talk: Conversation; rows: Map<number, ConversationMessage> } {
  const rows = new Map<number, ConversationMessage>();
  const model = (): ChatModel => ({
    id: 'm',
    contextWindow,
    countTokens,
    async *chat() {
      yield { type: 'finish', reason: 'stop' };
    },
  });
  const talk = new Conversation(
    model,
    { put: (n, turn) => rows.set(n, turn), remove: (n) => rows.delete(n) },
    { maxTurns, compactAt },
  );
  return { talk, rows };
}

const size = (messages: readonly { content: unknown }[]): number =>
  messages.reduce((sum, { content }) => sum + countTokens(String(content)), 0);

describe('the conversation with the model', () => {
  it('only grows at its end while it fits', async () => {
    const { talk } = conversation(10_000);
    let before: unknown[] = [];
    for (let step = 0; step < 10; step++) {
      const request = await talk.request({ system: 'system' }, () => ({ content: `question ${step}` }), 100);
      expect(request.messages.slice(0, before.length)).toEqual(before);
      await talk.append(request, { content: `answer ${step}` });
      before = [...request.messages, { role: 'assistant', content: `answer ${step}` }];
    }
  });

  it('shortens old observations first, and sends everything again', async () => {
    const { talk } = conversation(2_000);
    const fresh: boolean[] = [];
    for (let step = 0; step < 15; step++) {
      const request = await talk.request(
        { system: 'system' },
        () => ({ content: `${step} ${'x'.repeat(200)}`, folded: `${step}` }),
        100,
      );
      await talk.append(request, { content: 'ok' });
    }
    const { messages } = await talk.request(
      { system: 'system' },
      (isFresh) => {
        fresh.push(isFresh);
        return { content: 'y'.repeat(400) };
      },
      100,
    );
    expect(fresh).toEqual([false, true]);
    expect(messages.at(-1)?.content).toMatch(/^Earlier parts of this conversation were left out/);
    expect(messages.map(({ content }) => content)).toContain('6'); // shortened, not dropped
    expect(messages[1]?.role).toBe('user');
  });

  it('A-261 keeps the system prompt first in a long history, and sends less', async () => {
    const { talk } = conversation(1_000);
    for (let step = 0; step < 30; step++) {
      const request = await talk.request(
        { system: 'system' },
        () => ({ content: `${step} ${'x'.repeat(100)}` }),
        100,
      );
      await talk.append(request, { content: `answer ${step}` });
    }
    const { messages } = await talk.request({ system: 'system' }, () => ({ content: 'and now?' }), 100);
    expect(messages[0]).toEqual({ role: 'system', content: 'system' });
    expect(messages.at(-1)).toMatchObject({
      role: 'user',
      content: expect.stringMatching(/and now\?$/) as string,
    });
    expect(messages.length).toBeGreaterThan(2);
    expect(messages.length).toBeLessThan(62);
  });

  it.each([
    ['at a share of the window', 0.5, Infinity, 0.5],
    ['never below half of the room', 0, Infinity, 0.5],
    ['when it is full', 1, Infinity, 1],
    ['at a number of messages, when that is asked for', 1, 28, 0.3],
  ])('is compacted %s', async (_, compactAt, maxTurns, share) => {
    const { talk } = conversation(10_000, maxTurns, compactAt);
    let most = 0;
    for (let step = 0, length = 0; talk.length >= length; step++) {
      length = talk.length;
      const request = await talk.request(
        { system: 's' },
        () => ({ content: `${step} ${'x'.repeat(400)}` }),
        0,
      );
      if (request.left !== null || request.entries.length < length) break;
      most = size(request.messages);
      await talk.append(request, { content: 'ok' });
    }
    expect(most / 10_000).toBeGreaterThan(share - 0.1);
    expect(most / 10_000).toBeLessThanOrEqual(share);
  });

  it('A-262 shortens a message that is too long alone, and preserves its ends', async () => {
    const { talk } = conversation(1_000);
    const { messages } = await talk.request(
      { system: 'system' },
      () => ({ content: `begin ${'x'.repeat(9_000)} end` }),
      100,
    );
    const last = String(messages.at(-1)?.content);
    expect(last).toMatch(/begin x+/);
    expect(last).toMatch(/characters left out here/);
    expect(last).toMatch(/x+ end$/);
  });

  it('A-264 reports when the fixed part fills the window, and sends nothing too long', async () => {
    const { talk } = conversation(100);
    await expect(
      talk.request({ system: 's'.repeat(400) }, () => ({ content: 'hi' }), 20),
    ).rejects.toMatchObject({
      code: 'context-overflow',
    });
  });

  it('never exceeds the window', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ question: fc.nat(3_000), answer: fc.nat(600), folds: fc.boolean() }), {
          maxLength: 40,
        }),
        fc.integer({ min: 600, max: 3_000 }),
        async (exchanges, window) => {
          const { talk, rows } = conversation(window, 20);
          for (const { question, answer, folds } of exchanges) {
            const reserve = Math.floor(window / 4);
            const content = 'q'.repeat(question);
            const request = await talk.request(
              { system: 'system' },
              () => ({ content, ...(folds ? { folded: 'f' } : {}) }),
              reserve,
            );
            const { messages } = request;
            expect(size(messages) + reserve).toBeLessThanOrEqual(window);
            expect(messages.map(({ role }) => role)).toEqual([
              'system',
              ...Array.from({ length: (messages.length - 2) / 2 }, () => ['user', 'assistant']).flat(),
              'user',
            ]);
            await talk.append(request, { content: 'a'.repeat(answer) });
            expect(rows.size).toBe(talk.length);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('continues after a restore as if nothing had happened', async () => {
    const first = conversation(10_000);
    for (let step = 0; step < 3; step++) {
      const request = await first.talk.request(
        { system: 'system' },
        () => ({ content: `question ${step}` }),
        100,
      );
      await first.talk.append(request, { content: `answer ${step}` });
    }
    const second = conversation(10_000);
    second.talk.restore([...first.rows].map(([number, turn]) => ({ number, turn })));
    const next = () => ({ content: 'and now?' });
    expect(await second.talk.request({ system: 'system' }, next, 100)).toEqual(
      await first.talk.request({ system: 'system' }, next, 100),
    );
  });
});

describe('headAndTail', () => {
  it('does not change a short text and states how much of a long one is missing', () => {
    expect(headAndTail('abc', 3)).toBe('abc');
    expect(headAndTail('abcdefghi', 3)).toBe('ab\n… 6 characters left out here …\ni');
  });
});
