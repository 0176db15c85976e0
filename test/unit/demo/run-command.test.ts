import { expect, it } from 'vitest';
import { mainPage } from '../../../demo/state/main-page.js';
import { runCommand } from '../../../demo/state/run-command.js';

it.each([
  ['/a.js', 'node /a.js'],
  ['/lib/a.mts', 'node /lib/a.mts'],
  ['/a.test.ts', 'node --test /a.test.ts'],
  ['/a.py', 'python /a.py'],
  ["/my file's.js", String.raw`node '/my file'\''s.js'`],
  ['/types.d.ts', null],
  ['/a.json', null],
])('runs a program with its interpreter, and tests as tests: %s', (path, command) => {
  expect(runCommand(path)).toBe(command);
});

it.each([
  [['/a.html', '/sub/index.html', '/b.html'], '/sub/index.html'],
  [['/a.html', '/b.html', '/plot.svg'], '/b.html'],
  [['/old.png', '/plot.svg', '/table.csv'], '/plot.svg'],
  [['/uploads/photo.png', '/answer.txt'], undefined],
])(
  'opens a page first, and without one the newest picture, unless the user attached it: %j',
  (paths, page) => {
    expect(mainPage(paths)).toBe(page);
  },
);
