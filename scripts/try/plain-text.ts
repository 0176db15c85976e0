import { stripVTControlCharacters } from 'node:util';

/** Control characters except tab and line feed, and marks that change the reading order of a text. */
const UNPRINTABLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Makes text of a model, a tool or a server safe to print: it cannot move the cursor, change colors or titles, or
 * otherwise control the terminal. Escape sequences split by streaming lose their effect; the rest of them is shown as
 * text.
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

/** Shorter keys, such as "none" or "ollama", are not secrets, and are words of many texts. */
const SHORTEST_SECRET = 10;

/** Replaces a key, which a server may return, in a text to print. */
export function withoutSecret(text: string, secret: string | undefined): string {
  return secret === undefined || secret.length < SHORTEST_SECRET ? text : text.replaceAll(secret, '[key]');
}

/** A value as one line of JSON with every unprintable character escaped: nothing is lost, and it can be printed. */
export function jsonLine(value: unknown): string {
  const escaped = JSON.stringify(value).replace(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `${escaped}\n`;
}
