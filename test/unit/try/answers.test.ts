import { PassThrough } from 'node:stream';
import type { Question } from 'rolezero';
import { describe, expect, it } from 'vitest';
import { Answers } from '../../../scripts/try/answers.js';

const question: Question = {
  id: 'q',
  role: 'Zero',
  kind: 'question',
  text: 'Which?',
  options: ['red', 'blue'],
};
const approval: Question = { id: 'a', role: 'Zero', kind: 'approval', text: 'May it?' };

function keyboard() {
  const input = new PassThrough();
  return { input, output: new PassThrough(), onInterrupt: () => {} };
}

describe('answers', () => {
  it('are used in order, a number for its option, until there are none left', async () => {
    const answers = new Answers(['2', 'green', '3', 'y', 'perhaps'], null);
    expect([
      await answers.to(question),
      await answers.to(question),
      await answers.to(question),
      await answers.to(approval),
      await answers.to(approval),
      await answers.to(question),
    ]).toEqual([
      { text: 'blue', source: 'given' },
      { text: 'green', source: 'given' },
      { text: '3', source: 'given' },
      { text: 'yes', source: 'given' },
      { text: 'no', source: 'given' },
      null,
    ]);
  });

  it('are those of the recording without given answers and keyboard', async () => {
    const recorded = ({ kind }: Question): string | null => (kind === 'approval' ? 'yes' : null);
    const answers = new Answers(['no'], null, recorded);
    expect([await answers.to(approval), await answers.to(approval), await answers.to(question)]).toEqual([
      { text: 'no', source: 'given' },
      { text: 'yes', source: 'recorded' },
      null,
    ]);
    const keys = keyboard();
    const answer = new Answers([], keys, recorded).to(approval);
    keys.input.write('n\n');
    expect(await answer).toEqual({ text: 'no', source: 'typed' });
  });

  it('are typed when none are given; an empty line is none', async () => {
    const keys = keyboard();
    const answer = new Answers([], keys).to(question);
    keys.input.write('\n1\n');
    expect(await answer).toEqual({ text: 'red', source: 'typed' });
  });

  it('stay open when the input ends or the wait was cancelled', async () => {
    const ending = keyboard();
    const ended = new Answers([], ending).to(question);
    ending.input.end();
    expect(await ended).toBeNull();
    const answers = new Answers([], keyboard());
    const given = answers.to(question);
    answers.close();
    expect(await given).toBeNull();
  });
});
