import { expect, test } from 'vitest';
import { measureNotes, takeNotes } from '../../../scripts/bench/note-recall.js';

const turn = (id: string, session: number, speaker: string, text: string) => ({
  id,
  session,
  date: `1:56 pm on ${session} May, 2023`,
  speaker,
  text,
});
const RULE = 'Never use semicolons in the code.';
const turns = [
  turn('A', 1, 'User', 'I build a site about trees.'),
  turn('B', 1, 'Assistant', 'Please always send me the whole file.'),
  turn('C', 1, 'User', RULE),
  turn('D', 2, 'User', `${'So many words. '.repeat(40)} Let's go with SQLite.`),
  ...Array.from({ length: 9 }, (_, at) => turn(`F${at}`, 2, 'User', `The site about trees has page ${at}.`)),
];

test('takes notes by rules from the turns of the user, and one line of each session', () => {
  const notes = takeNotes(turns);
  expect(notes.map(({ note, holds }) => [note.kind, note.text.slice(0, 40), holds])).toEqual([
    ['summary', '1:56 pm on 1 May, 2023: I build a site a', ''],
    ['instruction', RULE, 'C'],
    ['decision', 'So many words. So many words. So many wo', ''], // too long for a note
    ['summary', '1:56 pm on 2 May, 2023: So many words. S', ''],
  ]);
});

test('measures which part of the evidence is in the context with and without notes', async () => {
  const questions = [
    { question: 'How does the user want code?', category: 'instruction', evidence: ['C'] },
    { question: 'Which site has page 3?', category: 'fact', evidence: ['F3'] },
    { question: 'Nobody knows.', category: 'fact', evidence: [] },
  ];
  const { standing, categories, taken } = await measureNotes([{ id: 'c', turns, questions }]);
  expect(taken).toBe(4);
  expect(categories['instruction']).toMatchObject({ questions: 1, notes: 1, both: 1 });
  expect(categories['fact']).toMatchObject({ questions: 1, turns: 1, notes: 0, both: 1, sameLength: 1 });
  expect(standing).toMatchObject({ questions: 1, turns: 0, notes: 1, both: 1 });
});
