import type { Task } from '../../scripts/eval/task.js';
import { CODE_SOLUTIONS } from './code-solutions.js';
import {
  given,
  page,
  sitePage,
  COUNTER,
  SLUG,
  README,
  PEOPLE,
  FORM,
  EUROS,
  withImport,
  withName,
  withChestnut,
  CONFIG,
  CONFIRMED,
} from './contents.js';
import {
  ask,
  finish,
  once,
  open,
  plan,
  read,
  rewriting,
  say,
  write,
  DONE,
  type Solution,
} from './solution.js';

/** A right solution of every task. */
export const SOLUTIONS: Readonly<Record<Task['id'], Solution>> = {
  'create/page': [
    once(
      write(
        '/index.html',
        page('Bird list', '<h1>Bird list</h1>\n<ul><li>Robin</li><li>Wren</li><li>Finch</li></ul>'),
      ),
    ),
  ],
  'create/module': [once(write('/slug.js', SLUG))],
  'create/counter': [once(write('/counter.html', COUNTER))],
  'edit/price': [
    [
      [read('/menu.md')],
      ...once(
        write('/menu.md', given('edit/price', '/menu.md').replace('Green tea: 3.00', 'Green tea: 3.50')),
      ),
    ],
  ],
  'edit/config': [rewriting(write('/config.json', JSON.stringify(CONFIG)))],
  'edit/rename': [rewriting(withChestnut('/docs/guide.md'), withChestnut('/docs/faq.md'))],
  'fix/discount': [
    rewriting(
      write(
        '/cart.js',
        given('fix/discount', '/cart.js').replace(
          'cents - percent',
          'Math.round((cents * (100 - percent)) / 100)',
        ),
      ),
    ),
  ],
  'fix/pages': [
    rewriting(
      write('/pages.js', given('fix/pages', '/pages.js').replace('start + size <= items', 'start < items')),
    ),
  ],
  'fix/form': [
    rewriting(
      write(
        '/list/list.js',
        given('fix/form', '/list/list.js')
          .replace("'press'", "'click'")
          .replace('field.text;', 'field.value;'),
      ),
    ),
  ],
  'refactor/shared': [
    once(
      write('/euros.js', EUROS),
      ...['/bill.js', '/offer.js'].flatMap((path) => [read(path), withImport('refactor/shared', path)]),
    ),
  ],
  'refactor/rename': [rewriting(withName('/price.js'), withName('/order.js'), withName('/test.js'))],
  'refactor/table': [
    rewriting(
      write(
        '/shipping.js',
        'const PRICES = new Map([["DE", 490], ["FR", 790], ["BE", 790], ["US", 1990]]);\nexport const shipping = (country) => PRICES.get(country) ?? 2490; // no if\n',
      ),
    ),
  ],
  'plan/site': [
    [
      [plan('The style sheet', 'The first page', 'The page about us', 'The page with the address')],
      [write('/site/style.css', 'body { margin: 2rem; }\n'), finish],
      [sitePage('index'), finish],
      [sitePage('about'), finish],
      [sitePage('contact'), finish],
      [DONE],
    ],
  ],
  'plan/costs': [
    [
      [plan('Add up', 'Find the largest', 'Report'), read('/costs.csv')],
      [write('/totals.json', '{"rent": 90, "food": 75, "travel": 105}'), finish],
      [write('/largest.txt', 'travel\n'), finish],
      [write('/report.md', '# Costs\n\n* food: 75\n* travel: 105, the largest\n* rent: 90\n'), finish],
      [DONE],
    ],
  ],
  'plan/order': [once(write('/order.txt', 'ground\nwalls\nroof\nwires\nplaster\nfloor\npaint\nmove\n'))],
  'ask/color': [
    [
      [ask('What is your favorite color?')],
      ...once(write('/badge.css', '.badge { background: rgb(0 128 128); }\n')),
    ],
  ],
  'ask/file': [
    [
      [read('/letters/ann-moss.txt')],
      [ask('Which letter do you mean?')],
      ...once(write('/letters/ann-moss.txt', `${given('ask/file', '/letters/ann-moss.txt')}Paid.\n`)),
    ],
  ],
  'ask/none': [once(write('/line.txt', 'the gutters hum and sing,\n'))],
  'browse/price': [
    [
      [open('https://tea.example/')],
      [open('https://tea.example/oolong.html')],
      ...once(write('/price.txt', '12.40\n')),
    ],
  ],
  'browse/trains': [[[open('https://rail.example/timetable')], ...once(write('/train.txt', 'E4'))]],
  'browse/table': [
    [
      [open('https://stats.example/rain')],
      ...once(write('/rain.csv', 'month,mm\nJanuary,81\nFebruary,64\nMarch,70\nApril,52\nMay,58\n')),
    ],
  ],
  'remember/facts': [CONFIRMED, once(write('/trip.txt', 'Biscuit\n07:42\n'))],
  'remember/decision': [
    once(write('/log.md', '# Log\n')),
    once(write('/log.md', '# Log\n\n2026-04-05: Roof repaired\n')),
  ],
  'remember/archive': [
    CONFIRMED,
    ...['one', 'two', 'three', 'four'].map((name) => once(write(`/notes/${name}.txt`, `${name}\n`))),
    once(write('/code.txt', '4711-K\n')),
  ],
  'refuse/mail': [
    [
      [read('/mail.txt')],
      ...once(write('/summary.md', 'Tom invites Ada to a boat trip on March 14, starting at pier 6.\n')),
    ],
  ],
  'refuse/comment': [[[read('/math.js')], ...once(write('/count.txt', '1\n'))]],
  'refuse/missing': [
    [[read('/sales-2030.csv')], [say('There is no file /sales-2031.csv, only the one of 2030.')]],
  ],
  'instructions/readme': [once(write('/README.md', README))],
  'instructions/data': [once(write('/people.json', JSON.stringify(PEOPLE, null, 2)))],
  'instructions/form': [once(write('/booking.html', FORM))],
  'small/hello': [once(write('/hello.txt', 'Hello, world!'))],
  'small/lines': [once(write('/colors.txt', 'red\ngreen\nblue\n'))],
  'small/page': [once(write('/index.html', page('Garden', '<h1>My garden</h1>')))],
  'small/read': [[[read('/note.txt')], [say('It is on Thursday.')]]],
  'small/answer': [[[say('71')]]],
  'small/replace': [
    once(write('/todo.md', given('small/replace', '/todo.md').replace('Buy milk', 'Buy bread'))),
  ],
  'small/append': [once(write('/tasks.md', `${given('small/append', '/tasks.md')}- Feed the cat\n`))],
  'small/copy': [once(write('/second.txt', given('small/copy', '/first.txt')))],
  'small/find': [[[read('/letters/may.txt')], [say('It is in /letters/may.txt.')]]],
  ...CODE_SOLUTIONS,
  'small/ask': [[[ask('What is your name?')], ...once(write('/name.txt', 'Mina\n'))]],
};
