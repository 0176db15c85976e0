import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { main } from '../../../scripts/bench/recall.js';

const folder = mkdtempSync(join(tmpdir(), 'rolezero-bench-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const turn = (id: string, session: number, speaker: string, text: string) => ({
  id,
  session,
  date: `1:56 pm on ${session} May, 2023`,
  speaker,
  text,
});

test('measures recall of conversations and tools with the sentence encoder, and writes it as JSON', async () => {
  const answers = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const fillers = Array.from({ length: 9 }, (_, at) =>
    turn(`F${at}`, at + 2, 'Bob', `Number ${at} rang the bell.`),
  );
  const conversation = {
    id: 'c',
    turns: [turn('A1', 1, 'Ann', 'The doctor gave me pills for my headache.'), ...fillers],
    questions: [
      { question: 'Who took medicine?', category: 4, evidence: ['A1'] },
      { question: 'Which number rang?', category: 1, evidence: ['F8', 'F0'] },
      { question: 'Nobody knows', category: 5, evidence: [] },
    ],
  };
  const tools = [
    { name: 'bake Bread', description: 'Bake a loaf', parameters: { flour: 'The kind of flour' } },
    ...Array.from({ length: 9 }, (_, at) => ({ name: `count${at}`, description: 'Count', parameters: {} })),
  ];
  const query = { query: 'I want to count. Use rye flour.', domain: 'in', tools: ['bake Bread'] };
  const out = join(folder, 'out.json');
  const code = await main([
    file('friends.json', JSON.stringify([conversation])),
    ...['--tools', file('tools.jsonl', tools.map((tool) => JSON.stringify(tool)).join('\n'))],
    ...['--queries', file('queries.jsonl', `${JSON.stringify(query)}\n`)],
    ...['--json', out],
  ]);
  expect(code).toBe(0);
  const result = JSON.parse(readFileSync(out, 'utf8')) as unknown;
  const all = { ours: 1, withoutEmbedder: 1, bm25: 1, plain: 1 };
  expect(result).toEqual({
    date: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) as string,
    sets: {
      friends: {
        questions: 2,
        recallAt10: { ours: 1, withoutEmbedder: 0.5, bm25: 0.5, plain: 0.5 }, // Only the encoder relates medicine to pills.
        sessionRecallAt10: { ours: 1, withoutEmbedder: 0.5, bm25: 0.5, plain: 0.5 },
        categories: {
          1: { questions: 1, ...all },
          4: { questions: 1, ours: 1, withoutEmbedder: 0, bm25: 0, plain: 0 },
        },
        userOnly: {
          questions: 1, // about what Bob said
          recallAt10: all,
          sessionRecallAt10: all,
          categories: { 1: { questions: 1, ...all } },
        },
        choice: {
          recallAt5: expect.any(Number) as number,
          bestOf15: 1,
          promptTokens: expect.any(Number) as number,
        },
      },
    },
    tools: { in: 1, out: 0, lexicalIn: 1, lexicalOut: 0 },
  });
  answers.mockRestore();
});

test('explains how to pass data when there is none', async () => {
  const answers: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((text: string) => void answers.push(text));
  expect(await main([join(folder, 'nowhere.json')])).toBe(1);
  expect(await main(['--help'])).toBe(0);
  expect(answers.join('\n')).toContain('--tools');
  expect(answers.join('\n')).toContain('does not exist');
  log.mockRestore();
});
