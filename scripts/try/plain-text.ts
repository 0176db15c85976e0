import { stripVTControlCharacters } from 'node:util';

/** Control characters but tab and line feed, and the marks that make a text read in another order than it is written. */
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A text of a model, a tool or a server as it may be printed: it cannot move the cursor, color, retitle or otherwise command the
 * terminal. Sequences torn apart by streaming lose what makes them work; the rest of them then shows as text.
 */
export function plainText(text: string): string {
  return stripVTControlCharacters(text).replace(UNPRINTABLE, '');
}

/** The same in one line of at most `most` characters. */
export function plainLine(text: string, most: number): string {
  const line = plainText(text.slice(0, most * 4))
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/** A value as one line of JSON in which every unprintable character is escaped: no less is told, and it can be printed. */
export function jsonLine(value: unknown): string {
  const escaped = JSON.stringify(value).replace(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${escaped}\n`;
}
