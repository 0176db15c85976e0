import fc from 'fast-check';
import { estimateTokenCount } from 'tokenx';
import { expect, it } from 'vitest';
import type { ChatMessage, ChatModel } from '../../../src/core/model.js';
import { Conversation } from '../../../src/agent/prompt/conversation.js';
import type { ConversationMessage } from '../../../src/agent/prompt/conversation-message.js';
import { sized as atSize } from '../../size.js';

/** Tokens that a chat template may add around a message. */
const AROUND = 6;
const HISTORIES = atSize(10_000);

/** The real token count of a model and its own, which is never too low. */
interface Count {
  truth(text: string): number;
  reported?: (text: string) => number;
}

/** Letters and digits can take a hundred times more tokens in one tokenizer than in another. */
const exact = fc
  .record({
    letter: fc.double({ min: 0.02, max: 3, noNaN: true }),
    digit: fc.double({ min: 0.02, max: 3, noNaN: true }),
  })
  .map(({ letter, digit }): Count => {
    const truth = (text: string) => {
      let digits = 0;
      for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) < 58) digits += 1;
      return Math.ceil(digits * digit + (text.length - digits) * letter);
    };
    return { truth, reported: truth };
  });
const tooHigh = fc
  .tuple(exact, fc.double({ min: 1, max: 1.5, noNaN: true }))
  .map(([{ truth }, factor]): Count => ({ truth, reported: (text) => Math.ceil(truth(text) * factor) }));
/** A model that does not count: it uses as much as the estimate. */
const silent = fc
  .double({ min: 0.2, max: 1.15, noNaN: true })
  .map((share): Count => ({ truth: (text) => Math.floor(estimateTokenCount(text) * share) }));
const counts = fc.oneof(
  { weight: 6, arbitrary: exact },
  { weight: 3, arbitrary: tooHigh },
  { weight: 1, arbitrary: silent },
);

/** A text of letters or digits that takes this share of the window. */
const sized = (letters: string, tokens: number, { truth }: Count): string => {
  const weight = truth(letters.repeat(100)) / 100;
  return letters.repeat(Math.min(200, Math.floor(tokens / Math.max(0.1, weight))));
};

const continues = (messages: readonly ChatMessage[], before: readonly ChatMessage[]): boolean =>
  before.every(({ role, content }, at) => messages[at]?.role === role && messages[at]?.content === content);

const windows = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1_000, max: 4_096 }) },
  { weight: 1, arbitrary: fc.integer({ min: 4_096, max: 32_000 }) },
);

const exchange = fc.record({
  question: fc.double({ min: 0, max: 1.5, noNaN: true }).map((share) => share ** 2),
  answer: fc.double({ min: 0, max: 1, noNaN: true }),
  letters: fc.constantFrom('word by word ', '{"a": [1, 2]}, ', '0123456789', 'äöü €🎉 '),
  folds: fc.boolean(),
  /** The reply never arrived; the page was reloaded after it. */
  then: fc.constantFrom('goes on', 'goes on', 'goes on', 'fails', 'reloads'),
});

it(`never sends more than the window can hold: ${HISTORIES} histories`, { timeout: 240_000 }, async () => {
  let requests = 0;
  let compactions = 0;
  await fc.assert(
    fc.asyncProperty(
      counts,
      windows,
      fc.array(exchange, { minLength: 1, maxLength: 10 }),
      fc.constantFrom(null, '', 'What was said. ', '0'),
      async (count, contextWindow, exchanges, summary) => {
        const model: ChatModel = {
          id: 'm',
          contextWindow,
          ...(count.reported === undefined ? {} : { countTokens: count.reported }),
          async *chat() {
            yield { type: 'finish', reason: 'stop' };
          },
        };
        const rows = new Map<number, ConversationMessage>();
        const open = () =>
          new Conversation(
            () => model,
            { put: (number, turn) => rows.set(number, turn), remove: (number) => rows.delete(number) },
            { maxTurns: 12, compactAt: 1 },
          );
        let talk = open();
        const reserve = Math.floor(contextWindow / 4);
        const system = sized('You are a role. ', contextWindow * 0.1, count);
        let before: readonly ChatMessage[] = [];
        for (const { question, answer, letters, folds, then } of exchanges) {
          const content = sized(letters, question * contextWindow, count);
          let fresh = false;
          const draft = await talk.request(
            { system },
            (isFresh) => {
              fresh = isFresh;
              return { content, ...(folds ? { folded: content.slice(0, 20) } : {}) };
            },
            reserve,
            async (_, tokens) => (summary === null ? null : summary.repeat(tokens)),
          );
          const taken = draft.messages.reduce(
            (sum, message) => sum + count.truth(String(message.content)) + AROUND,
            0,
          );
          requests += 1;
          if (taken + reserve > contextWindow) throw new Error(`${taken} + ${reserve} > ${contextWindow}`);
          if (fresh) compactions += 1;
          else expect(continues(draft.messages, before)).toBe(true); // Between two compactions it only grows.
          if (then === 'fails') {
            if (fresh) before = [];
            continue;
          }
          const reply = sized(letters, answer * reserve, count);
          await talk.append(draft, { content: reply });
          before = [...draft.messages, { role: 'assistant', content: reply }];
          if (then !== 'reloads') continue;
          talk = open();
          talk.restore(
            [...rows].sort(([one], [other]) => one - other).map(([number, turn]) => ({ number, turn })),
          );
        }
        expect(rows.size).toBe(talk.length);
      },
    ),
    { numRuns: HISTORIES },
  );
  expect(requests).toBeGreaterThan(HISTORIES);
  expect(compactions).toBeGreaterThan(HISTORIES / 4);
  console.log(`${requests} requests, ${compactions} compactions, 0 overflows`);
});
