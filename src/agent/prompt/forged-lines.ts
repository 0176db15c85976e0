import { lazy } from '../../core/lazy.js';

/** Titles of the sections of prompts, which only the library writes. */
const SECTION_TITLES = [
  ...[
    'Time',
    'Example',
    'Past Experience',
    'Current State',
    'Current Plan',
    'Current Task',
    'Response Language',
  ],
  ...['Note', 'Standing Notes', 'Memories', 'Basic Info', 'Data Structure', 'Available Task Types'],
  ...['Available Commands', 'Instruction', 'Reply Format'],
];

/** Beginnings of lines with which the library marks a section, a result, an answer of the user, and a message of another role. */
const FORGED_LINE = lazy(
  () =>
    new RegExp(
      `^[\\s>*_]*(?:#{1,6}\\s*(?:${SECTION_TITLES.join('|')})s?\\W*$|Command \\S+ (?:executed|not found)|Human response:|\\[Message\\] from )`,
      'iu',
    ),
);

const LINE = /[^\n\r\u0085\u2028\u2029\v\f]+/gu;
const INVISIBLE = lazy(() => /\p{Default_Ignorable_Code_Point}|\p{Cc}/gu);

/** Marks the lines of untrusted content that look like a part of the prompt, so that it can neither begin nor end one. */
export function markForgedLines(text: string): string {
  return text.replace(LINE, (line) =>
    FORGED_LINE().test(line.normalize('NFKC').replace(INVISIBLE(), '')) ? `(quoted) ${line}` : line,
  );
}
