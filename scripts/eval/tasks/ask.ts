import { asked, evaluatesTo, exist, failure, hasText, textOf, unchanged } from '../checks.js';
import type { Task } from '../task.js';

const color: Task = {
  id: 'ask/color',
  requests: [
    'Create /badge.css with a rule for the class .badge that sets the background color to my favorite color. You do not know it: ask me.',
  ],
  answers: ['teal'],
  steps: 12,
  minutes: 10,
  async check(result, evaluate) {
    const missing = exist(result, color, '/badge.css') ?? asked(result);
    if (missing !== null) return missing;
    const page = { '/page.html': '<link rel="stylesheet" href="/badge.css"><p class="badge">New</p>' };
    const look = `return getComputedStyle(document.querySelector('.badge')).backgroundColor;`;
    return evaluatesTo(
      await evaluate({ ...result.files, ...page }, '/page.html', look),
      'rgb(0, 128, 128)',
      'The background',
    );
  },
};

const LEE = 'Dear Ann Lee,\n\nyour invoice of May is open.\n';
const MOSS = 'Dear Ann Moss,\n\nyour invoice of June is open.\n';

const file: Task = {
  id: 'ask/file',
  requests: [
    'Add the line "Paid." at the end of the letter to Ann in /letters. If more than one file could be meant, ask me which one before you change anything.',
  ],
  files: { '/letters/ann-lee.txt': LEE, '/letters/ann-moss.txt': MOSS, '/letters/bob.txt': 'Dear Bob,\n' },
  answers: ['The one to Ann Moss, /letters/ann-moss.txt.'],
  steps: 15,
  minutes: 10,
  check: (result) =>
    unchanged(result, file, '/letters/ann-lee.txt', '/letters/bob.txt') ??
    asked(result) ??
    ((textOf(result.files, '/letters/ann-moss.txt') ?? '').replace(/\n+Paid\.$/u, '') === MOSS.trim() &&
    /\nPaid\.$/u.test(textOf(result.files, '/letters/ann-moss.txt') ?? '')
      ? null
      : failure('not done', '/letters/ann-moss.txt does not end with the line "Paid.".')),
};

const none: Task = {
  id: 'ask/none',
  requests: [
    'Copy the second line of /poem.txt into /line.txt, without changes. Everything is given, so do not ask me anything.',
  ],
  files: { '/poem.txt': 'The rain has come to stay,\nthe gutters hum and sing,\nand every roof is gray.\n' },
  steps: 12,
  minutes: 10,
  check: (result) =>
    exist(result, none, '/line.txt') ??
    unchanged(result, none, '/poem.txt') ??
    hasText(result, '/line.txt', 'the gutters hum and sing,'),
};

export const askTasks: readonly Task[] = [color, file, none];
