import { expect, test } from 'vitest';
import { AIMessage, UserMessage } from '../../../src/core/message.js';
import { LongTermMemory } from '../../../src/memory/long-term-memory.js';

const DAY = 86_400_000;
const START = Date.UTC(2023, 4, 1);

/** A memory of messages with their speaker and the day after the first of May 2023. */
function conversation(...said: [day: number, speaker: string, text: string][]) {
  let now = START;
  const memory = new LongTermMemory({ memoryK: 1, now: () => now });
  for (const [day, speaker, text] of said) {
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
    [0, 'Bob', 'Which colour will you paint the kitchen?'],
    [0, 'Ann', 'Dark green, I think, with white doors.'],
    [9, 'Bob', 'A fence of dark wood.'],
  );
  expect(await recalled(memory, 'colour of the kitchen', 2)).toEqual([
    'Which colour will you paint the kitchen?',
    'Dark green, I think, with white doors.',
  ]);
  expect((await memory.search('colour of the kitchen', 9)).map(({ message }) => message.content)).toEqual([
    'Which colour will you paint the kitchen?',
  ]); // A search by a user returns only direct matches.
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

test('ranks a statement above a question about it', async () => {
  const memory = conversation(
    [0, 'Ann', 'My sister lives in Paris.'],
    [5, 'Bob', 'Where does your sister live, Paris?'],
  );
  expect(await recalled(memory, 'sister Paris', 1)).toEqual(['My sister lives in Paris.']);
});
