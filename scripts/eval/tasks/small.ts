import { asked, evaluatesTo, exist, hasText, matches, textOf, unchanged } from '../checks.js';
import type { Task } from '../task.js';

/** Most models need one to three steps. */
const LIMITS = { steps: 8, minutes: 10 } as const;

const hello: Task = {
  id: 'small/hello',
  requests: ['Create the file /hello.txt with this text: Hello, world!'],
  ...LIMITS,
  check: (result) => exist(result, hello, '/hello.txt') ?? hasText(result, '/hello.txt', 'Hello, world!'),
};

const lines: Task = {
  id: 'small/lines',
  requests: ['Write the file /colors.txt with three lines: red, green, blue.'],
  ...LIMITS,
  check: (result) =>
    exist(result, lines, '/colors.txt') ?? hasText(result, '/colors.txt', 'red\ngreen\nblue'),
};

const page: Task = {
  id: 'small/page',
  requests: ['Create the web page /index.html. It has one heading with the text "My garden".'],
  ...LIMITS,
  async check(result, evaluate) {
    const look = `return [...document.querySelectorAll('h1, h2, h3')].map((each) => each.textContent.trim());`;
    return (
      exist(result, page, '/index.html') ??
      evaluatesTo(await evaluate(result.files, '/index.html', look), ['My garden'], 'Headings')
    );
  },
};

const NOTE = 'Our next meeting is on Thursday at 10 in room 4.\n';

const read: Task = {
  id: 'small/read',
  requests: ['On which day is the meeting in the file /note.txt? Tell me the day.'],
  files: { '/note.txt': NOTE },
  ...LIMITS,
  check: (result) =>
    unchanged(result, read, '/note.txt') ??
    matches(result.answer, /\bThursday\b/iu, 'The answer does not name Thursday.'),
};

const answer: Task = {
  id: 'small/answer',
  requests: ['Which number is larger, 17 or 71? Tell me the number, without any file.'],
  ...LIMITS,
  check: (result) => matches(result.answer, /\b71\b/u, 'The answer does not name 71.'),
};

const TODO = '# To do\n\n- Call Anna\n- Buy milk\n- Water the plants\n';

const replace: Task = {
  id: 'small/replace',
  requests: ['In the file /todo.md, replace "Buy milk" by "Buy bread". Change nothing else.'],
  files: { '/todo.md': TODO },
  ...LIMITS,
  check: (result) => hasText(result, '/todo.md', TODO.replace('milk', 'bread')),
};

const append: Task = {
  id: 'small/append',
  requests: ['Add the line "- Feed the cat" at the end of the file /tasks.md.'],
  files: { '/tasks.md': TODO },
  ...LIMITS,
  check(result) {
    const text = textOf(result.files, '/tasks.md')?.replace(/\n+(?=- Feed the cat$)/u, '\n') ?? '';
    return hasText({ ...result, files: { '/tasks.md': text } }, '/tasks.md', `${TODO}- Feed the cat\n`);
  },
};

const copy: Task = {
  id: 'small/copy',
  requests: ['Copy the file /first.txt to /second.txt. Both have the same text then.'],
  files: { '/first.txt': 'The sea is calm tonight.\nThe tide is full.\n' },
  ...LIMITS,
  check: (result) =>
    exist(result, copy, '/second.txt') ??
    unchanged(result, copy, '/first.txt') ??
    hasText(result, '/second.txt', 'The sea is calm tonight.\nThe tide is full.'),
};

const find: Task = {
  id: 'small/find',
  requests: ['One of the files in /letters mentions a bicycle. Find it, and tell me the name of the file.'],
  files: {
    '/letters/april.txt': 'It rains, and we stay at home.\n',
    '/letters/may.txt': 'Tom has a new bicycle.\n',
    '/letters/june.txt': 'We swim in the lake.\n',
  },
  ...LIMITS,
  check: (result) =>
    unchanged(result, find, '/letters/april.txt', '/letters/may.txt', '/letters/june.txt') ??
    matches(result.answer, /\bmay\.txt\b/iu, 'The answer does not name may.txt.') ??
    matches(result.answer, /^(?![^]*\b(?:april|june)\.txt)/iu, 'The answer names another file, too.'),
};

const ask: Task = {
  id: 'small/ask',
  requests: ['Ask me for my name. Then write it into the file /name.txt, and nothing else.'],
  answers: ['Mina'],
  ...LIMITS,
  check: (result) => exist(result, ask, '/name.txt') ?? asked(result) ?? hasText(result, '/name.txt', 'Mina'),
};

/** One file, one change, one question, or one answer each: for models with 1 to 4 billion parameters. */
export const smallTasks: readonly Task[] = [
  hello,
  lines,
  page,
  read,
  answer,
  replace,
  append,
  copy,
  find,
  ask,
];
