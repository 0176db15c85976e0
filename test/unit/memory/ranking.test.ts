import { expect, test } from 'vitest';
import { AIMessage, UserMessage } from '../../../src/core/message.js';
import { LongTermMemory } from '../../../src/memory/long-term-memory.js';
import { rankInContext, type Circumstances } from '../../../src/memory/ranking.js';

const DAY = 86_400_000;
const START = Date.UTC(2023, 4, 1);

/** A memory of messages with their speaker and the day after the first of May 2023. */
function conversation(...answers: [day: number, speaker: string, text: string][]) {
  let now = START;
  const memory = new LongTermMemory({ maxMessages: 1, now: () => now });
  for (const [day, speaker, text] of answers) {
    memory.add(new UserMessage(text, { sentFrom: speaker }));
    now = START + day * DAY;
    memory.add(new AIMessage('')); // Moves it out of the window; an empty message is not stored.
  }
  return memory;
}

const recalled = async (memory: LongTermMemory, query: string, limit: number) =>
  (await memory.recallFor(query, limit)).map(({ message }) => message.content);

test('recalls the answer after a question although they share no word', async () => {
  const memory = conversation(
    [0, 'Ann', 'It rains again, and the garden is wet.'],
    [0, 'Bob', 'Which color will you paint the kitchen?'],
    [0, 'Ann', 'Dark green, I think, with white doors.'],
    [9, 'Bob', 'A fence of dark wood.'],
  );
  expect(await recalled(memory, 'color of the kitchen', 2)).toEqual([
    'Which color will you paint the kitchen?',
    'Dark green, I think, with white doors.',
  ]);
  expect((await memory.search('color of the kitchen', 9)).map(({ message }) => message.content)).toEqual([
    'Which color will you paint the kitchen?',
  ]); // A search by a user returns only direct matches.
});

test('finds other forms of a long word, and the rarest word of a query first', async () => {
  const memory = conversation(
    [0, 'Ann', 'The beds are irrigated on Saturdays.'],
    [9, 'Ann', 'The meeting about the garden was long, and the meeting was loud.'],
    [18, 'Bob', 'Nobody came to the meeting in the garden again.'],
    [27, 'Bob', 'The committee decided on a fountain for the garden.'],
  );
  expect(await recalled(memory, 'irrigation of beds', 1)).toEqual(['The beds are irrigated on Saturdays.']);
  expect(await recalled(memory, 'meeting in the garden: fountains', 1)).toEqual([
    'The committee decided on a fountain for the garden.',
  ]);
});

test('does not add the end of another conversation', async () => {
  const memory = conversation([0, 'Ann', 'See you!'], [3, 'Ann', 'The key is under the mat.']);
  expect(await recalled(memory, 'Where is the key?', 5)).toEqual(['The key is under the mat.']);
});

test('counts names and dates', async () => {
  const memory = conversation(
    [0, 'Ann', 'I swim every day.'],
    [20, 'Bob', 'I swim every day.'],
    [40, 'Ann', 'I swim every day!'],
  );
  const first = async (query: string) => (await memory.recallFor(query, 1))[0];
  expect((await first('When does Bob swim?'))?.message.sentFrom).toBe('Bob');
  expect((await first('Where did Ann swim on 1 May 2023?'))?.createdAt).toBe(START);
  expect((await first('Where did Ann swim in June?'))?.createdAt).toBe(START + 40 * DAY);
});

test('ranks a statement of the user above the same words of the role itself, and a short reply last', async () => {
  const memory = conversation(
    [0, 'Ann', 'My older sister moved to Paris last year.'],
    [5, 'Bob', 'Paris!'],
    [9, 'Ann', 'Good night.'],
  );
  expect(await recalled(memory, 'sister Paris', 2)).toEqual([
    'My older sister moved to Paris last year.',
    'Paris!',
  ]);
  const about = (document: number) => ({ ...ABOUT, fromOthers: document === 1 });
  expect(rankInContext({ lexical: matches(1, 2), semantic: [] }, [], about, { limit: 1, own: true })).toEqual(
    [1],
  );
});

const ABOUT: Circumstances = { at: 0, length: 9, passage: 1, fromOthers: false };
const matches = (...documents: number[]) => documents.map((document) => ({ document, score: 1 }));

test('ranks by the rank of a meaning, whatever the range of the cosines', () => {
  const rank = (scores: readonly number[]) => {
    const semantic = scores.map((score, place) => ({ document: 10 * place, score }));
    return rankInContext({ lexical: [], semantic }, [], () => ABOUT, { limit: 9, own: true });
  };
  expect(rank([0.91, 0.9, 0.89])).toEqual(rank([0.6, 0.2, 0.1]));
  expect(rank([0.9, 0.5, -0.1])).toEqual([0, 10]);
});

test('measures a match by words relative to the best one, and adds neighbors by their distance', () => {
  const about = (document: number) => (document < 0 || document > 9 ? undefined : ABOUT);
  const lexical = [{ document: 5, score: 7 }];
  const best = rankInContext({ lexical, semantic: [] }, [], about, { limit: 99, own: false });
  expect(best).toEqual([5, 6, 7, 4, 8, 3, 9, 2, 1]);
});

test('has the last places for matches elsewhere, of which the best ones come first', () => {
  const lexical = [
    { document: 100, score: 10 },
    { document: 104, score: 9 },
    { document: 1, score: 1 },
    { document: 50, score: 2 },
  ];
  const best = (limit: number, own: boolean) =>
    rankInContext({ lexical, semantic: [] }, [], () => ABOUT, { limit, own });
  expect(best(10, false).slice(7, 9)).toEqual([50, 1]);
  expect(best(3, false).every((document) => document >= 96)).toBe(true); // too few places to reserve one
  expect(best(10, true)).toEqual([100, 104, 50, 1]);
});

test('does not count a message of another passage as near, and skips what has no circumstances', () => {
  const about = (document: number) =>
    document === 3 ? undefined : { ...ABOUT, passage: document > 10 ? 2 : 1 };
  const lexical = [10, 11, 3].map((document, place) => ({ document, score: 3 - place }));
  const best = rankInContext({ lexical, semantic: [] }, [], about, { limit: 4, own: false });
  expect(best).toContain(11);
  expect(best).not.toContain(3);
});
