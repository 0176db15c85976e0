import { evaluatesTo, exist, failure, hasJson, textOf } from '../checks.js';
import type { Task } from '../task.js';

const MAX_WORDS = 40;
const MAX_LINE = 80;
const SECTIONS = ['Install', 'Use', 'Limits', 'License'];

const readme: Task = {
  id: 'instructions/readme',
  requests: [
    `Write /README.md for "Kettle", a program that heats water at a given time. Follow all of these rules:
1. The first line is "# Kettle".
2. After it come four sections with second-level headings, in this order: Install, Use, Limits, License. There are no other headings.
3. Each section has at least one and at most ${MAX_WORDS} words, code included.
4. The section Install contains a fenced code block with the line: npm install kettle
5. The section Use contains a fenced code block with the line: kettle --at 07:30
6. The section Limits is a list of exactly three items, each beginning with "* ".
7. The section License names the MIT license.
8. No line is longer than ${MAX_LINE} characters.
9. There is no exclamation mark in the file.
10. The words "simply", "just" and "easy" do not occur.
11. There is exactly one link, in the section Use, with the address https://kettle.example/docs
12. The last line of the file is "Version 3", after an empty line.`,
  ],
  steps: 15,
  minutes: 15,
  check(result) {
    const missing = exist(result, readme, '/README.md');
    if (missing !== null) return missing;
    const broken = brokenRule(textOf(result.files, '/README.md') ?? '');
    return broken === null ? null : failure('not done', `/README.md breaks rule ${broken}.`);
  },
};

/** Returns the number of the first rule that a text breaks, or null. */
function brokenRule(given: string): number | null {
  // A comment in a code block is no heading.
  const text = given.replace(/^```[^]*?^```/gmu, (code) => code.replace(/^#/gmu, ' #'));
  const lines = text.split('\n').map((line) => line.trimEnd());
  const [, ...sections] = text.replace(/\n+Version 3$/u, '\n').split(/^## /mu);
  const named = new Map(sections.map((section) => [section.split('\n')[0]?.trim() ?? '', body(section)]));
  const of = (name: string) => named.get(name) ?? '';
  const words = (section: string) => section.split(/\s+/u).filter((word) => word !== '').length;
  const items = of('Limits')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const addresses = new Set(text.match(/https?:\/\/[^\s)>\]]+[^\s)>\].,:]/gu));
  const hasCode = (name: string, line: string) =>
    new RegExp(`^\`\`\`.*\\n(?:.*\\n)*?${line}\\s*\\n(?:.*\\n)*?\`\`\``, 'mu').test(of(name));
  const rules: readonly boolean[] = [
    lines[0] === '# Kettle',
    [...named.keys()].join() === SECTIONS.join() &&
      lines.filter((line) => /^#{1,6} /u.test(line)).length === 5,
    SECTIONS.every((name) => words(of(name)) >= 1 && words(of(name)) <= MAX_WORDS),
    hasCode('Install', 'npm install kettle'),
    hasCode('Use', 'kettle --at 07:30'),
    items.filter((line) => line.startsWith('* ')).length === 3 &&
      items.every((line) => /^(?:\* | {2,})/u.test(line)),
    /\bMIT\b/u.test(of('License')),
    lines.every((line) => line.length <= MAX_LINE),
    !text.includes('!'),
    !/\b(?:simply|just|easy)\b/iu.test(text),
    addresses.size === 1 && of('Use').includes('https://kettle.example/docs'),
    lines.at(-1) === 'Version 3' && lines.at(-2) === '',
  ];
  const broken = rules.indexOf(false);
  return broken < 0 ? null : broken + 1;
}

function body(section: string): string {
  return section.slice(section.indexOf('\n') + 1).trim();
}

const PEOPLE = `name,email,age,city
"Lovelace, Ada",ADA@calc.example,36,London
"Babbage, Charles",,79,London
"Hopper, Grace",grace@navy.example,85,n/a
"Turing, Alan",alan@code.example,unknown,Oxford
"Lovelace, A.",ada@calc.example,37,Paris
"Hamilton, Margaret",Margaret@moon.example,,Boston
"Hopper, Anna",anna@navy.example,40,Boston
`;

const data: Task = {
  id: 'instructions/data',
  requests: [
    `Convert /people.csv to /people.json by these rules:
1. The result is a JSON array with one object per person, with the keys first, last, email, age and city.
2. The column "name" has the form "Last, First". Split it into first and last.
3. Leave out people without an e-mail address.
4. E-mail addresses are in lower case.
5. When an e-mail address, in lower case, occurs more than once, keep only the first person in the file with it.
6. age is a number, or null where the file has no number.
7. city is a text, or null where the file has "n/a".
8. Sort by last, then by first, both alphabetically.
9. Do not change /people.csv.`,
  ],
  files: { '/people.csv': PEOPLE },
  steps: 15,
  minutes: 15,
  check: (result) =>
    exist(result, data, '/people.json') ??
    (textOf(result.files, '/people.csv') === PEOPLE.trim()
      ? null
      : failure('wrong file', '/people.csv must stay as it was.')) ??
    hasJson(result, '/people.json', [
      { first: 'Margaret', last: 'Hamilton', email: 'margaret@moon.example', age: null, city: 'Boston' },
      { first: 'Anna', last: 'Hopper', email: 'anna@navy.example', age: 40, city: 'Boston' },
      { first: 'Grace', last: 'Hopper', email: 'grace@navy.example', age: 85, city: null },
      { first: 'Ada', last: 'Lovelace', email: 'ada@calc.example', age: 36, city: 'London' },
      { first: 'Alan', last: 'Turing', email: 'alan@code.example', age: null, city: 'Oxford' },
    ]),
};

/** Rules of the form as expressions in its page, in the order of the request. */
const FORM_RULES = [
  `document.title.trim() === 'Book a table' && document.documentElement.lang === 'en'`,
  `document.querySelectorAll('form').length === 1 && document.querySelector('form').id === 'booking'`,
  `['name', 'email', 'guests', 'day', 'seat', 'notes'].every((id) => document.getElementById(id)?.name === id)`,
  `[...document.querySelectorAll('#name, #email, #guests, #day, #seat, #notes')].every((field) => [...field.labels].some((label) => label.textContent.trim() !== ''))`,
  `['name', 'email', 'guests', 'day'].every((id) => document.getElementById(id).required) && ['seat', 'notes'].every((id) => !document.getElementById(id).required)`,
  `document.getElementById('email').type === 'email' && document.getElementById('day').type === 'date'`,
  `(({ type, min, max, value }) => type === 'number' && min === '1' && max === '8' && value === '2')(document.getElementById('guests'))`,
  `[...document.getElementById('seat').options].map((each) => each.textContent.trim().toLowerCase()).join() === 'inside,terrace,bar' && document.getElementById('seat').selectedOptions[0].textContent.trim().toLowerCase() === 'terrace'`,
  `document.getElementById('notes').tagName === 'TEXTAREA' && document.getElementById('notes').maxLength === 200`,
  `(([button, ...more]) => more.length === 0 && button.type === 'submit' && (button.textContent.trim() || button.value) === 'Book')([...document.querySelectorAll('form button, form input[type="submit"]')])`,
  `[...document.querySelectorAll('script, link[rel~="stylesheet"]')].length === 0`,
];

const form: Task = {
  id: 'instructions/form',
  requests: [
    `Write the page /booking.html with a form. Follow all of these rules:
1. The title is "Book a table", and the language of the page is English (en).
2. There is one form, with the id "booking".
3. It has fields with these ids, each with a name equal to its id: name, email, guests, day, seat, notes.
4. Each field has a label.
5. name, email, guests and day are required; seat and notes are not.
6. email is an e-mail field, and day is a date field.
7. guests is a number field from 1 to 8 with the value 2.
8. seat is a select with the options Inside, Terrace and Bar in this order; Terrace is selected at first.
9. notes is a textarea for at most 200 characters.
10. The form has one button, which submits it and has the text "Book".
11. The page has no scripts and no style sheets of other files.`,
  ],
  steps: 15,
  minutes: 15,
  async check(result, evaluate) {
    const missing = exist(result, form, '/booking.html');
    if (missing !== null) return missing;
    const rules = FORM_RULES.map((rule) => `() => ${rule}`).join(',\n');
    const look = `
      const holds = (rule) => { try { return rule(); } catch { return false; } };
      return [${rules}].findIndex((rule) => !holds(rule)) + 1;`;
    return evaluatesTo(await evaluate(result.files, '/booking.html', look), 0, 'The first broken rule');
  },
};

export const instructionTasks: readonly Task[] = [readme, data, form];
