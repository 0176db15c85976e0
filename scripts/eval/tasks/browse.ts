import { exist, failure, hasText, textOf } from '../checks.js';
import type { Task } from '../task.js';

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>`;

const price: Task = {
  id: 'browse/price',
  requests: [
    'What does Oolong cost at https://tea.example/ ? Write the price to /price.txt: only the number, such as 9.99.',
  ],
  pages: {
    'https://tea.example/': page(
      'Tea shop',
      '<p>Prices are on the page of each tea.</p><ul><li><a href="/sencha.html">Sencha</a></li><li><a href="/oolong.html">Oolong</a></li><li><a href="/assam.html">Assam</a></li></ul>',
    ),
    'https://tea.example/sencha.html': page('Sencha', '<p>From Uji. 100 g cost 9.20 €.</p>'),
    'https://tea.example/oolong.html': page(
      'Oolong',
      '<p>From China. 100 g cost 12.40 €, last year 11.80 €.</p>',
    ),
    'https://tea.example/assam.html': page('Assam', '<p>From India. 100 g cost 6.50 €.</p>'),
  },
  steps: 15,
  minutes: 15,
  check: (result) =>
    exist(result, price, '/price.txt') ??
    (/^(?:€\s*)?12[.,]40?(?:\s*(?:€|EUR))?$/u.test(textOf(result.files, '/price.txt') ?? '')
      ? null
      : hasText(result, '/price.txt', '12.40')),
};

const trains: Task = {
  id: 'browse/trains',
  requests: [
    'Which train from Aston to Bury on https://rail.example/timetable arrives first? Write its number, such as X1, to /train.txt, and nothing else.',
  ],
  pages: {
    'https://rail.example/timetable': page(
      'Aston to Bury',
      '<table><thead><tr><th>Train</th><th>Departs</th><th>Takes</th></tr></thead><tbody><tr><td>R2</td><td>08:05</td><td>1 h 20 min</td></tr><tr><td>R7</td><td>08:20</td><td>1 h 15 min</td></tr><tr><td>E4</td><td>08:35</td><td>0 h 40 min</td></tr><tr><td>R9</td><td>08:50</td><td>0 h 50 min</td></tr></tbody></table>',
    ),
  },
  steps: 12,
  minutes: 15,
  check: (result) => exist(result, trains, '/train.txt') ?? hasText(result, '/train.txt', 'E4'),
};

const RAIN = [
  ['January', '81'],
  ['February', '64'],
  ['March', '70'],
  ['April', '52'],
  ['May', '58'],
];

const table: Task = {
  id: 'browse/table',
  requests: [
    'Copy the table at https://stats.example/rain to /rain.csv: the first line is month,mm and then one line for each month, in the order of the table.',
  ],
  pages: {
    'https://stats.example/rain': page(
      'Rain in Aston',
      `<table><tr><th>Month</th><th>Rain in mm</th></tr>${RAIN.map(([month, mm]) => `<tr><td>${month}</td><td>${mm}</td></tr>`).join('')}</table><p>Last year it was 12 % more.</p>`,
    ),
  },
  steps: 12,
  minutes: 15,
  check(result) {
    const missing = exist(result, table, '/rain.csv');
    if (missing !== null) return missing;
    const cells = (textOf(result.files, '/rain.csv') ?? '').split('\n').map((line) =>
      line
        .split(',')
        .map((cell) => cell.trim().replace(/^"(.*)"$/u, '$1'))
        .join(),
    );
    const expected = ['month,mm', ...RAIN.map((row) => row.join())];
    return cells.join('\n') === expected.join('\n')
      ? null
      : failure('not done', `/rain.csv is ${cells.slice(0, 8).join(' | ')}.`);
  },
};

export const browseTasks: readonly Task[] = [price, trains, table];
