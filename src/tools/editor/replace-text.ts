import { RoleZeroError } from '../../core/error.js';
import type { JsonValue } from '../../core/json.js';
import { describeCharacter } from '../../core/text-encoding.js';
import { dropNumbers, readCopiedLines } from './copied-numbers.js';
import { lineBreakOf, type Edited } from './edit-text.js';
import { foldText } from './fold-text.js';
import { clipEnd, numbered, padded } from './line-window.js';
import { nearest } from './nearest.js';
import { TextLines } from './text-lines.js';

/** Maximum number of occurrences and of similar lines that an error lists, and maximum characters of a quoted line. */
const MAX_PLACES = 5;
const MAX_QUOTED_DIFFERENCE = 200;
/** Maximum number of lines to compare when searching for similar lines. */
const MAX_COMPARED = 5_000;

/**
 * Replaces the only occurrence of a text, or the only one that is not inside of a longer word. If there is no exact occurrence, a text that looks
 * the same matches as well, with the line numbers of the editor or without them. So do lines that differ only in leading and trailing spaces; the
 * replacement then takes their indentation.
 *
 * @param all replaces each exact occurrence instead, if there is one; see `replaceEach`
 * @throws RoleZeroError `invalid` if the text occurs nowhere or more than once, with the lines.
 */
export function replaceText(text: string, old: string, by: string, all = false): Edited {
  if (old.trim() === '')
    throw replacementNotApplied(
      'old is empty. Give the text that is to be replaced; Editor.append_file adds text at the end.',
    );
  const lines = new TextLines(text);
  const exact = withBreaksOf(text, old);
  if (text.includes(exact) && isDone(text, exact, by))
    throw new AlreadyReplaced(lines.numberAt(text.indexOf(exact)));
  const each = all ? replaceEach(lines, exact, by) : null;
  if (each !== null) return each;
  const places = positionsOf(text, exact, MAX_PLACES + 1);
  const numbers = places.map((place) => lines.numberAt(place));
  if (numbers.length > 1) {
    // `calc` is meant alone where the others are in `calculator`.
    const only = wholeWords(text, exact, 1).length === 1 ? replaceEach(lines, exact, by) : null;
    if (only === null) throw notUnique(lines, numbers, choices(lines, numbers, exact, by));
    return only;
  }
  const [start] = places;
  if (start !== undefined) return spliced(lines, start, start + exact.length, withBreaksOf(text, by));
  const copied = readCopiedLines(old);
  if (copied !== null) return replaceCopied(lines, copied, dropNumbers(by));
  return replaceLookAlike(lines, exact, withBreaksOf(text, by)) ?? replaceLoosely(lines, old, by);
}

/** Replaces lines that were copied with their numbers: those at the first number, or the only ones like them. */
function replaceCopied(
  lines: TextLines,
  { text: old, first }: { text: string; first: number },
  by: string,
): Edited {
  const start = lines.start(first);
  const exact = withBreaksOf(lines.text, old);
  const isThere = exact !== '' && lines.text.startsWith(exact, start);
  const edited = isThere
    ? spliced(lines, start, start + exact.length, withBreaksOf(lines.text, by))
    : replaceText(lines.text, old, by);
  const note = 'The line numbers in old and new were left out.';
  return { ...edited, note: edited.note === undefined ? note : `${note} ${edited.note}` };
}

/** Replaces the only text that looks like `old`. Where `old` and `by` are equal, the characters of the file stay. Null if no text does. */
function replaceLookAlike(lines: TextLines, old: string, by: string): Edited | null {
  const [whole, sought, wanted] = [foldText(lines.text), foldText(old), foldText(by)];
  if (whole.text === lines.text && sought.text === old) return null;
  const places = positionsOf(whole.text, sought.text, MAX_PLACES + 1);
  const numbers = places.map((place) => lines.numberAt(whole.origin(place)));
  if (numbers.length > 1) throw notUnique(lines, numbers);
  const [place] = places;
  if (place === undefined || sought.text === '') return null;
  const length = sought.text.length;
  const found = lines.text.slice(whole.origin(place), whole.origin(place + length));
  const isSame = (at: number, ofWanted: number): boolean => sought.text[at] === wanted.text[ofWanted];
  const isBetween = (at: number, ofWanted: number): boolean =>
    whole.isBetween(place + at) && wanted.isBetween(ofWanted);
  const most = Math.min(length, wanted.text.length);
  let start = 0;
  for (let at = 1; at <= most && isSame(at - 1, at - 1); at += 1) if (isBetween(at, at)) start = at;
  const more = wanted.text.length - length;
  let end = length;
  for (let at = length - 1; at >= start && at + more >= start && isSame(at, at + more); at -= 1)
    if (isBetween(at, at + more)) end = at;
  const inserted = by.slice(wanted.origin(start), wanted.origin(end + more));
  const edited = spliced(lines, whole.origin(place + start), whole.origin(place + end), inserted);
  return { ...edited, note: describeDifference(found, old) };
}

/** Names the first character that differs in the file. */
function describeDifference(found: string, old: string): string {
  const [inFile, given] = [found, old].map((text) => Array.from(text.normalize()));
  const at = inFile?.findIndex((character, index) => character !== given?.[index]) ?? -1;
  const [has, sought] = [inFile?.[at], given?.[at]];
  if (has === undefined || sought === undefined)
    return 'old was found although its invisible characters or accents differ.';
  return `old was found although the file has ${describeCharacter(has)} where old has ${describeCharacter(sought)}.`;
}

function replaceLoosely(lines: TextLines, old: string, by: string): Edited {
  const soughtLines = withoutBlankEnds(old).split('\n');
  const all = Array.from({ length: lines.count }, (_, i) => foldText(lines.line(i + 1)).text.trim());
  const flat = `\n${all.join('\n')}\n`;
  const flatOld = `\n${soughtLines.map((line) => foldText(line).text.trim()).join('\n')}\n`;
  const places = positionsOf(flat, flatOld, MAX_PLACES + 1);
  // `flat` starts with a line break, so its line numbers are one higher than those of the text.
  const numbers = new TextLines(flat);
  const found = places.map((place) => numbers.numberAt(place + 1) - 1);
  if (found.length > 1) throw notUnique(lines, found);
  const [first] = found;
  if (first === undefined && isDone(lines.text, old, by)) throw new AlreadyReplaced(null);
  if (first === undefined) throw textNotInFile(all, soughtLines[0]?.trim() ?? '');
  const last = first + soughtLines.length - 1;
  const end = by === '' ? lines.start(last + 1) : lines.start(last) + lines.line(last).length;
  const moved = reindented(
    withoutBlankEnds(by),
    leadingBlanks(soughtLines[0] ?? ''),
    leadingBlanks(lines.line(first)),
  );
  return spliced(lines, lines.start(first), end, withBreaksOf(lines.text, moved));
}

function spliced(lines: TextLines, start: number, end: number, by: string): Edited {
  const text = lines.text.slice(0, start) + by + lines.text.slice(end);
  if (text === lines.text) throw sameText();
  const line = lines.numberAt(start);
  const last = new TextLines(text).numberAt(Math.max(start, start + by.length - 1));
  return { text, line, lastLine: lines.numberAt(Math.max(start, end - 1)), added: { first: line, last } };
}

/**
 * Replaces each occurrence of a text; null if there is none. Where some are whole words, those inside of longer words stay: `calc` in
 * `calculator`.
 *
 * @throws RoleZeroError `invalid` if nothing would change.
 */
function replaceEach(lines: TextLines, exact: string, given: string): Edited | null {
  const { text: before } = lines;
  const by = withBreaksOf(before, given);
  const all = positionsOf(before, exact, Infinity, exact.length);
  const whole = wholeWords(before, exact, exact.length);
  const places = whole.length === 0 ? all : whole;
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined) return null;
  if (exact === by) throw sameText();
  let text = '';
  let end = 0;
  for (const at of places) {
    text += before.slice(end, at) + by;
    end = at + exact.length;
  }
  const lastAdded = new TextLines(text).numberAt(Math.max(first, text.length - 1));
  text += before.slice(end);
  const count = places.length === 1 ? 'One occurrence was' : `${places.length} occurrences were`;
  const left = all.length - places.length;
  const note = `${count} replaced.${left === 0 ? '' : ` Inside of longer words, ${left} ${left === 1 ? 'was' : 'were'} left.`}`;
  const line = lines.numberAt(first);
  const lastLine = lines.numberAt(end - 1);
  return { text, line, lastLine, added: { first: line, last: lastAdded }, note };
}

/**
 * Returns whether a name occurs nowhere or inside of longer words only, and the new one does: a small model that renamed `calc` a second time made
 * another word of `calculator`, and one that gave a list of renames again never came to the second of them.
 */
function isDone(text: string, old: string, by: string): boolean {
  if (!NAME.test(old) || !NAME.test(by)) return false;
  return wholeWords(text, old, 1).length === 0 && wholeWords(text, by, 1).length > 0;
}

/** Returns the positions at which a text is not a part of longer words. */
function wholeWords(text: string, sought: string, step: number): number[] {
  return positionsOf(text, sought, Infinity, step).filter(
    (at) => !cutsWord(text, at) && !cutsWord(text, at + sought.length),
  );
}

/** A single word. */
const NAME = /^\p{L}[\p{L}\p{N}_-]*$/u;

/** Two characters of one word, in a script that separates words. */
const IN_WORD = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}_]{2}$/u;

/** Returns whether a position is inside of a word. */
function cutsWord(text: string, at: number): boolean {
  return IN_WORD.test(text.slice(Math.max(0, at - 1), at + 1));
}

/** Returns the positions of a text, at most `most`. `step`: what is left out after each; by default only its first character. */
function positionsOf(text: string, sought: string, most: number, step = 1): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(sought); at !== -1 && places.length < most; at = text.indexOf(sought, at + step))
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

function leadingBlanks(line: string): string {
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

/** `chosen`: arguments that can be copied; null when lines are listed instead. */
function notUnique(
  lines: TextLines,
  numbers: readonly number[],
  chosen: Choices | null = null,
): RoleZeroError {
  const more = numbers.length > MAX_PLACES ? ['and further down.'] : [];
  const listed = [...new Set(numbers.slice(0, MAX_PLACES))].map((number) =>
    numbered(number, clipEnd(lines.line(number), MAX_QUOTED_DIFFERENCE)),
  );
  return replacementNotApplied(
    (chosen === null
      ? [
          'old is not unique. It occurs in these lines:',
          ...listed,
          ...more,
          'Give the whole line that you mean, or more lines, in old and in new; or set replace_all to replace it everywhere.',
        ]
      : chosen.isName
        ? [
            'old is not unique. To replace it everywhere, as the same command does when it is given again:',
            chosen.all,
            'It occurs in these lines; to replace it in one of them only, give the whole line in old and in new:',
            ...listed,
            ...more,
          ]
        : [
            'old is not unique. Give the whole line that you mean in old and in new, one of these:',
            ...chosen.lines,
            ...more,
            'Or to replace it everywhere:',
            chosen.all,
          ]
    ).join('\n'),
    chosen?.isName === true ? { replace_all: true } : null,
  );
}

/** Arguments that can be copied: a model with few parameters writes a whole line, or `replace_all`, only when it sees one. */
interface Choices {
  /** Those that replace each place alone. */
  lines: string[];
  /** Those that replace all places. */
  all: string;
  /** The text is a single word, which is mostly to be replaced everywhere: a number is not. */
  isName: boolean;
}

/** Null where lines are not unique or long. */
function choices(lines: TextLines, numbers: readonly number[], old: string, by: string): Choices | null {
  if (/[\r\n]/u.test(old + by)) return null;
  const whole = [...new Set(numbers.slice(0, MAX_PLACES))].map((number) => lines.line(number).trim());
  const canChoose = whole.every(
    (line) =>
      line.length + by.length <= MAX_QUOTED_DIFFERENCE && positionsOf(lines.text, line, 2).length === 1,
  );
  if (!canChoose) return null;
  const edit = (from: string, to: string): string =>
    `"old": ${JSON.stringify(from)}, "new": ${JSON.stringify(to)}`;
  return {
    lines: whole.map(
      (line) =>
        `{${edit(
          line,
          line.replaceAll(old, () => by),
        )}}`,
    ),
    all: `{${edit(old, by)}, "replace_all": true}`,
    isName: NAME.test(old),
  };
}

function textNotInFile(all: readonly string[], sought: string): RoleZeroError {
  const candidates = all.slice(0, MAX_COMPARED).map((text, i) => ({ number: i + 1, text }));
  const near = nearest(clipEnd(sought, MAX_QUOTED_DIFFERENCE), candidates, ({ text }) =>
    clipEnd(text, MAX_QUOTED_DIFFERENCE),
  );
  const like = near.map(
    // Quoted as in the arguments of a command: small models left out the quotation marks of JSON.
    ({ number, text }) =>
      `The ${padded(number)} line is ${JSON.stringify(clipEnd(text, MAX_QUOTED_DIFFERENCE))}`,
  );
  return replacementNotApplied(
    [
      'old was not found in the file.',
      ...(like.length > 0 ? ['Lines like its first one:', ...like] : []),
    ].join('\n'),
  );
}

/** Thrown in place of an edit when the file has the new name already. It is no failure: the rest of the list is run. */
export class AlreadyReplaced extends Error {
  /** @param line Number of the first line in which the old name is a part of a longer word; null for none. */
  constructor(readonly line: number | null) {
    super('The name is replaced already.');
  }
}

function sameText(): RoleZeroError {
  return new RoleZeroError(
    'invalid',
    'old and new are the same, so nothing was changed. If the file is right as it is, do not edit it. Otherwise give in new what is to stand there.',
  );
}

/** `correction`: arguments with which the same command, given again, is run. */
function replacementNotApplied(
  why: string,
  correction: Record<string, JsonValue> | null = null,
): RoleZeroError {
  const last = correction === null ? ' Copy old exactly from the file. Do not repeat the same command.' : '';
  return new RoleZeroError('invalid', `${why}\nThe edit was not applied.${last}`, {
    ...(correction === null ? {} : { correction }),
  });
}
