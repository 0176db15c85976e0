import { RoleZeroError } from '../../core/error.js';
import { lineBreakOf, type Edited } from './edit-text.js';
import { clip, padded } from './line-window.js';
import { nearest } from './nearest.js';
import { TextLines } from './text-lines.js';

/** Maximum number of occurrences and of similar lines that an error lists, and maximum characters of a quoted line. */
const MAX_PLACES = 5;
const MAX_QUOTED = 200;
/** Maximum number of lines to compare when searching for similar lines. */
const MAX_COMPARED = 5_000;

/**
 * Replaces the only occurrence of a text. If there is no exact occurrence, lines that differ only in leading and trailing spaces match as
 * well. The replacement then takes their indentation.
 *
 * @throws RoleZeroError `invalid` if the text occurs nowhere or more than once, with the lines.
 */
export function replaceText(text: string, old: string, by: string): Edited {
  if (old.trim() === '') throw notApplied('old is empty. Give the text that is to be replaced.');
  const lines = new TextLines(text);
  const exact = withBreaksOf(text, old);
  const places = placesOf(text, exact, MAX_PLACES + 1);
  if (places.length > 1) throw notUnique(places.map((place) => lines.numberAt(place)));
  const [start] = places;
  if (start !== undefined) return spliced(lines, start, start + exact.length, withBreaksOf(text, by));
  return replaceLoosely(lines, old, by);
}

function replaceLoosely(lines: TextLines, old: string, by: string): Edited {
  const soughtLines = withoutBlankEnds(old).split('\n');
  const all = Array.from({ length: lines.count }, (_, i) => lines.line(i + 1).trim());
  const flat = `\n${all.join('\n')}\n`;
  const places = placesOf(flat, `\n${soughtLines.map((line) => line.trim()).join('\n')}\n`, MAX_PLACES + 1);
  // `flat` starts with a line break, so its line numbers are one higher than those of the text.
  const numbers = new TextLines(flat);
  const found = places.map((place) => numbers.numberAt(place + 1) - 1);
  if (found.length > 1) throw notUnique(found);
  const [first] = found;
  if (first === undefined) throw notFound(all, soughtLines[0]?.trim() ?? '');
  const last = first + soughtLines.length - 1;
  const end = by === '' ? lines.start(last + 1) : lines.start(last) + lines.line(last).length;
  const moved = reindented(withoutBlankEnds(by), indentOf(soughtLines[0] ?? ''), indentOf(lines.line(first)));
  return spliced(lines, lines.start(first), end, withBreaksOf(lines.text, moved));
}

function spliced(lines: TextLines, start: number, end: number, by: string): Edited {
  const text = lines.text.slice(0, start) + by + lines.text.slice(end);
  if (text === lines.text) throw notApplied('old and new are the same, so there is nothing to change.');
  const line = lines.numberAt(start);
  const last = new TextLines(text).numberAt(Math.max(start, start + by.length - 1));
  return { text, line, lastLine: lines.numberAt(Math.max(start, end - 1)), added: { first: line, last } };
}

function placesOf(text: string, sought: string, most: number): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(sought); at !== -1 && places.length < most; at = text.indexOf(sought, at + 1))
    places.push(at);
  return places;
}

function withBreaksOf(text: string, content: string): string {
  return content.replace(/\r?\n/gu, lineBreakOf(text));
}

function withoutBlankEnds(content: string): string {
  const lines = content.split(/\r?\n/u);
  const first = lines.findIndex((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return first === -1 ? '' : lines.slice(first, last + 1).join('\n');
}

function indentOf(line: string): string {
  return /^[ \t]*/u.exec(line)?.[0] ?? '';
}

/** Adjusts the indentation of lines: adds what `to` has in addition to `from`, or removes what it lacks. */
function reindented(content: string, from: string, to: string): string {
  if (from === to) return content;
  const lines = content.split('\n');
  if (to.endsWith(from)) {
    const more = to.slice(0, to.length - from.length);
    return lines.map((line) => (line.trim() === '' ? line : more + line)).join('\n');
  }
  if (!from.endsWith(to)) return content;
  const less = from.slice(0, from.length - to.length);
  return lines.map((line) => (line.startsWith(less) ? line.slice(less.length) : line)).join('\n');
}

function notUnique(numbers: readonly number[]): RoleZeroError {
  const shown = numbers.slice(0, MAX_PLACES).join(', ');
  const more = numbers.length > MAX_PLACES ? ' and further down' : '';
  return notApplied(
    `old is not unique: it occurs in the lines ${shown}${more}. Give more of the lines around the one you mean, in old and in new.`,
  );
}

function notFound(all: readonly string[], sought: string): RoleZeroError {
  const candidates = all.slice(0, MAX_COMPARED).map((text, i) => ({ number: i + 1, text }));
  const near = nearest(clip(sought, MAX_QUOTED), candidates, ({ text }) => clip(text, MAX_QUOTED));
  const like = near.map(({ number, text }) => `The ${padded(number)} line is "${clip(text, MAX_QUOTED)}"`);
  return notApplied(
    [
      'old was not found in the file.',
      ...(like.length > 0 ? ['Lines like its first one:', ...like] : []),
    ].join('\n'),
  );
}

function notApplied(why: string): RoleZeroError {
  return new RoleZeroError(
    'invalid',
    `${why}\nThe edit was not applied. Look at the file with Editor.open_file and copy old from it exactly. ` +
      'Do not repeat the same command.',
  );
}
