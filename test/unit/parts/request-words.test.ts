import { describe, expect, it } from 'vitest';
import {
  pathsIn,
  sourcesIn,
  untouchedIn,
  wantsAnswer,
  wantsQuestion,
} from '../../../src/parts/small-model/request-words.js';

describe('wantsAnswer', () => {
  it.each([
    'On which day is the meeting in the file /note.txt? Tell me the day.',
    'One of the files in /letters mentions a bicycle. Find it, and tell me the name of the file.',
    'Summarize /report.md in two sentences.',
    'List the functions in /app.js',
    'Remember for later: the alarm code is 4711-K. There is nothing to do yet, just confirm.',
    'What do /a.txt and /b.txt have in common?',
    'What does a click in /copy/add.html do?',
    'Wie viele Zeilen hat /a.txt?',
    'Erkläre, was /app.js macht',
    '¿Qué dice /nota.txt?',
    '告诉我 /a.txt 有多少行',
  ])('is true for %s', (request) => {
    expect(wantsAnswer(request)).toBe(true);
  });

  it.each([
    'Can you add the line "x" to /a.txt?',
    'Write the page /index.html',
    'Tell me the sum, and write it into /sum.txt',
    'Kannst du /a.txt umbenennen? Benenne sie in b.txt um.',
    '¿Puedes crear la página? Crea /index.html',
    '把 /a.txt 里的 1 换成什么都行',
    'A click in /list/index.html does nothing.',
    'Sum up /mail.txt in /summary.md in one or two sentences: what happens, when and where.',
    'Describe the functions of /a.js, each in one line, in the file /docs/a.md.',
    '把 /a.txt 总结到 /b.md',
    'Hello',
  ])('is false for %s', (request) => {
    expect(wantsAnswer(request)).toBe(false);
  });
});

describe('wantsQuestion', () => {
  it.each([
    'Ask me for my name. Then write it into /name.txt.',
    'Create a page; first ask me which color it has',
    'Before anything, please ask the user.',
    'Frag mich nach der Farbe.',
    'Pregúntame el color.',
    '先问我颜色',
  ])('is true for %s', (request) => {
    expect(wantsQuestion(request)).toBe(true);
  });

  it.each([
    'Make a button with the text "Do you want to ask me?"',
    'Write a form in which visitors ask us questions',
    'What do people ask the user service?',
  ])('is false for %s', (request) => {
    expect(wantsQuestion(request)).toBe(false);
  });
});

describe('pathsIn', () => {
  it.each<[string, string[]]>([
    ['Copy the file /first.txt to /second.txt.', ['/first.txt', '/second.txt']],
    ['Read src/app.test.ts, then "/größe.md" (and /größe.md).', ['src/app.test.ts', '/größe.md']],
    ['Read ../../secret.txt and /a/../b.txt', []],
    ['It costs 3.50 or 4.5x', []],
    ['no file', []],
    // It was asked to read this one first, and changed it.
    ['Replace it in the files of /docs, except in /docs/history.md, which stays as it is.', []],
    ['Change /a.md, but not "/b.md".', ['/a.md']],
    ['Ändere alle Dateien außer der Datei /b.md', []],
    ['Cambia todo, excepto en el archivo /b.md', []],
    ['把 /a.md 改好，除了 /b.md', ['/a.md']],
    ['There is an exception in /b.md.', ['/b.md']],
  ])('returns those of %s', (request, paths) => {
    expect(pathsIn(request)).toEqual(paths);
  });
});

describe('sourcesIn', () => {
  it.each<[string, string[]]>([
    ['Write the total of /sales.csv to /total.txt', ['/sales.csv']],
    ['Write three advantages of node.js and Vue.js to /advantages.md', []],
  ])('%s: %j', (request, paths) => {
    expect(sourcesIn(request)).toEqual(paths);
  });
});

describe('untouchedIn', () => {
  it.each<[string, string[]]>([
    ['Replace the name everywhere, except in /docs/history.md, which stays as it is.', ['/docs/history.md']],
    ['Translate all files except /a.md, "/b.md" and c.md. Then list d.md.', ['/a.md', '/b.md', 'c.md']],
    ['Fix /page.html, but do not change /style.css.', ['/style.css']],
    ['Add tests without touching the file src/app.js', ['src/app.js']],
    ['Ändere alle Dateien außer /a.txt und /b.txt', ['/a.txt', '/b.txt']],
    ['Korrigiere /a.txt, aber /b.txt nicht ändern', ['/b.txt']],
    ['Cambia todo, salvo en /a.txt', ['/a.txt']],
    ['修改 /a.txt，不要修改 /b.txt', ['/b.txt']],
    ['Do not change /config.json except for the port', []],
    ['Do not stop before /a.txt is written', []],
    ['Change the title of /a.html and nothing else', []],
    ['Change /a.txt, not /b.txt', []],
  ])('%s: %j', (request, paths) => {
    expect(untouchedIn(request)).toEqual(paths);
  });
});
