import { adoptStyles, render } from 'lit';
import { afterEach, expect, test } from 'vitest';
import type { Question } from 'rolezero';
import { questionView } from '../../../src/element/question-view.js';
import { entryStyle } from '../../../src/element/entry-style.js';
import { ENGLISH_CHAT } from '../../../src/element/words.js';

const host = document.createElement('div');
document.body.append(host);
const place = host.attachShadow({ mode: 'open' });
adoptStyles(place, [entryStyle]);
afterEach(() => render('', place));

/** Returns the characters of an element in the order in which they are seen, from left to right. */
function seen(element: Element): string {
  const characters: { character: string; left: number }[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    for (const [at, character] of (node.nodeValue ?? '').split('').entries()) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      characters.push({ character, left: range.getBoundingClientRect().left });
    }
  return characters
    .sort((one, other) => one.left - other.left)
    .map(({ character }) => character)
    .join('');
}

test.each([
  ['Hebrew', 'path: /w/א/1/ב', 'path: /w/א/1/ב'],
  ['Arabic', 'path: /w/ن/12/x', 'path: /w/ن/12/x'],
  ['words', 'path: /אב גד/2', 'path: /דג בא/2'],
])('letters of %s do not reorder a request for approval', (_name, details, expected) => {
  const question: Question = {
    id: 'q',
    role: 'Zero',
    kind: 'approval',
    text: 'May Zero use “Editor: write”?',
    details,
  };
  render(
    questionView(question, ENGLISH_CHAT, () => {}),
    place,
  );
  const shown = place.querySelector('pre');
  expect(shown?.textContent).toBe(details);
  expect(seen(shown ?? host)).toBe(expected);
});
