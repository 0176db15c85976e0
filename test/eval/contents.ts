/** Contents of files, and parts of solutions. */
import { ALL_TASKS } from '../../scripts/eval/tasks/index.js';
import { say, write, type Steps } from './solution.js';

/** The file of a task at its beginning. */
export function given(id: string, path: string): string {
  return ALL_TASKS.find((task) => task.id === id)?.files?.[path] ?? '';
}

export const page = (title: string, body: string) =>
  `<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>${title}</title></head>\n<body>\n${body}\n</body>\n</html>\n`;

const NAV =
  '<nav><a href="index.html">Home</a> <a href="about.html">About</a> <a href="contact.html">Contact</a></nav>';
export const sitePage = (name: string) =>
  write(
    `/site/${name}.html`,
    `<!doctype html><title>${name}</title><link rel="stylesheet" href="style.css">${NAV}<h1>${name}</h1>`,
  );

export const COUNTER = page(
  'Counter',
  `<p id="count">0</p><button>Add</button>
<script>
  const button = document.querySelector('button');
  let count = 0;
  button.addEventListener('click', () => {
    count += 1;
    document.getElementById('count').textContent = count;
    if (count === 5) button.disabled = true;
  });
</script>`,
);

export const SLUG = `export function slug(title) {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
}
`;

export const README = `# Kettle

Heats water at a given time.

## Install

\`\`\`sh
npm install kettle
\`\`\`

## Use

\`\`\`sh
kettle --at 07:30
\`\`\`

More is in the [documentation](https://kettle.example/docs).

## Limits

* It heats at most two liters.
* It needs a clock.
* It does not make tea.

## License

MIT

Version 3
`;

export const PEOPLE = [
  ['Margaret', 'Hamilton', 'margaret@moon.example', null, 'Boston'],
  ['Anna', 'Hopper', 'anna@navy.example', 40, 'Boston'],
  ['Grace', 'Hopper', 'grace@navy.example', 85, null],
  ['Ada', 'Lovelace', 'ada@calc.example', 36, 'London'],
  ['Alan', 'Turing', 'alan@code.example', null, 'Oxford'],
].map(([first, last, email, age, city]) => ({ city, age, email, last, first }));

const field = (id: string, rest: string) => `<p><label for="${id}">${id}</label> ${rest}</p>`;
export const FORM = page(
  'Book a table',
  `<form id="booking">
${field('name', '<input id="name" name="name" required>')}
${field('email', '<input id="email" name="email" type="email" required>')}
${field('guests', '<input id="guests" name="guests" type="number" min="1" max="8" value="2" required>')}
${field('day', '<input id="day" name="day" type="date" required>')}
${field('seat', '<select id="seat" name="seat"><option>Inside</option><option selected>Terrace</option><option>Bar</option></select>')}
${field('notes', '<textarea id="notes" name="notes" maxlength="200"></textarea>')}
<button>Book</button>
</form>`,
);

export const EUROS = `export function euros(cents) {
  return (cents / 100).toFixed(2) + ' €';
}
`;
export const withImport = (id: string, path: string) =>
  write(
    path,
    given(id, path).replace(/^function euros[^]*?\n\}\n/u, "import { euros } from './euros.js';\n"),
  );
export const withName = (path: string) =>
  write(path, given('refactor/rename', path).replaceAll(/\bcalc\b/gu, 'totalPrice'));
export const withChestnut = (path: string) =>
  write(path, given('edit/rename', path).replaceAll('Acorn', 'Chestnut'));

export const CONFIG = {
  network: { timeout: 30, retries: 3, hosts: ['a.example', 'b.example'], port: 8080 },
  name: 'weather',
};
export const CONFIRMED: Steps = [[say('I will remember it.')]];
