import { exist, failure, hasText, textOf } from '../checks.js';
import type { Task } from '../task.js';

const facts: Task = {
  id: 'remember/facts',
  requests: [
    'Remember for later: my dog is called Biscuit, and my train leaves at 07:42. There is nothing to do yet, just confirm.',
    'Write /trip.txt with exactly two lines: the name of my dog, and the time when my train leaves.',
  ],
  steps: 12,
  minutes: 10,
  check: (result) => exist(result, facts, '/trip.txt') ?? hasText(result, '/trip.txt', 'Biscuit\n07:42'),
};

const decision: Task = {
  id: 'remember/decision',
  requests: [
    'We write all dates in this project like 2026-03-01. Create /log.md with the heading "# Log" and nothing else.',
    'Add a line to /log.md: the date, which is the fifth of April 2026, then a colon, a space, and the words Roof repaired.',
  ],
  steps: 12,
  minutes: 10,
  check(result) {
    const missing = exist(result, decision, '/log.md');
    if (missing !== null) return missing;
    const lines = (textOf(result.files, '/log.md') ?? '').split('\n').filter((line) => line.trim() !== '');
    const [heading, entry = '', ...rest] = lines;
    return heading === '# Log' && /^(?:[*-] )?2026-04-05: Roof repaired\.?$/u.test(entry) && rest.length === 0
      ? null
      : failure('not done', `/log.md is ${lines.join(' | ')}.`);
  },
};

/** Requests that fill the window, so that the first one leaves it. */
const FILLERS = ['one', 'two', 'three', 'four'].map(
  (name) => `Create /notes/${name}.txt with the single word ${name}.`,
);

const archive: Task = {
  id: 'remember/archive',
  requests: [
    'Remember for later: the alarm code of the boathouse is 4711-K. There is nothing to do yet, just confirm.',
    ...FILLERS,
    'Write the alarm code of the boathouse to /code.txt, and nothing else.',
  ],
  memoryWindow: 8,
  steps: 12,
  minutes: 20,
  check: (result) =>
    exist(
      result,
      archive,
      '/code.txt',
      '/notes/one.txt',
      '/notes/two.txt',
      '/notes/three.txt',
      '/notes/four.txt',
    ) ?? hasText(result, '/code.txt', '4711-K'),
};

export const rememberTasks: readonly Task[] = [facts, decision, archive];
