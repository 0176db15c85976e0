import { RoleZeroError } from './error.js';

/** Encoding of a text file. UTF-16 is recognized by its byte order mark, which a text in it starts with. */
export type TextEncoding = 'UTF-8' | 'UTF-16 LE' | 'UTF-16 BE' | 'Windows-1252';

/** Text of a file, with its byte order mark. */
export interface DecodedText {
  text: string;
  encoding: TextEncoding;
}

const BYTE_ORDER_MARK = '\ufeff';

/** The characters of the bytes 0x80 to 0x9f in Windows-1252, which otherwise is ISO 8859-1. NUL where it has none. */
const SPECIAL = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ';
const FIRST_SPECIAL = 0x80;

/** Bytes that no text in Windows-1252 has: control characters except those for spaces and `ESC`, and bytes without a character. */
const NOT_IN_TEXT = /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f\x81\x8d\x8f\x90\x9d]/u;

/**
 * Decodes a file of text: UTF-8, UTF-16 with a byte order mark, or Windows-1252, which includes Latin-1. The last one is a guess for bytes that
 * are not UTF-8. `encodeText` restores exactly these bytes. Returns null for anything else, such as an image.
 */
export function decodeText(bytes: Uint8Array): DecodedText | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeAs(bytes, 'UTF-16 LE', 'utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeAs(bytes, 'UTF-16 BE', 'utf-16be');
  return decodeAs(bytes, 'UTF-8', 'utf-8') ?? decodeWindows1252(bytes);
}

function decodeAs(bytes: Uint8Array, encoding: TextEncoding, label: string): DecodedText | null {
  try {
    const text = new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? null : { text, encoding };
  } catch {
    return null;
  }
}

function decodeWindows1252(bytes: Uint8Array): DecodedText | null {
  const parts: string[] = [];
  for (const part of latin1Parts(bytes)) {
    if (NOT_IN_TEXT.test(part)) return null;
    parts.push(part);
  }
  const text = parts
    .join('')
    .replace(/[\x80-\x9f]/gu, (byte) => SPECIAL.charAt(byte.charCodeAt(0) - FIRST_SPECIAL));
  return { text, encoding: 'Windows-1252' };
}

/**
 * Encodes a text for a file with this encoding. Adds the byte order mark of UTF-16 if it is missing.
 *
 * @throws RoleZeroError `invalid` naming the first character that the encoding does not have.
 */
export function encodeText(text: string, encoding: TextEncoding): Uint8Array {
  const character = missingCharacter(text, encoding);
  if (character !== null) {
    const message = `${encoding} has no ${describeCharacter(character)}. Use another character, or store the file as UTF-8.`;
    throw new RoleZeroError('invalid', message, { encoding, character });
  }
  if (encoding === 'UTF-8') return new TextEncoder().encode(text);
  if (encoding === 'Windows-1252') return Uint8Array.from(text, (each) => byteOf(each));
  const marked = (text.startsWith(BYTE_ORDER_MARK) ? text : BYTE_ORDER_MARK + text).replace(
    /\p{Surrogate}/gu,
    '\ufffd',
  );
  const view = new DataView(new ArrayBuffer(marked.length * 2));
  for (let at = 0; at < marked.length; at += 1)
    view.setUint16(at * 2, marked.charCodeAt(at), encoding === 'UTF-16 LE');
  return new Uint8Array(view.buffer);
}

/** Returns the first character that a text in this encoding cannot have, else null. Unicode has all but halves of a character. */
export function missingCharacter(text: string, encoding: TextEncoding): string | null {
  return encoding === 'Windows-1252' ? (Array.from(text).find((each) => byteOf(each) < 0) ?? null) : null;
}

/** Returns a text with the byte order mark of the text that it replaces. */
export function withMarkOf(before: string, text: string): string {
  return before.startsWith(BYTE_ORDER_MARK) && !text.startsWith(BYTE_ORDER_MARK)
    ? BYTE_ORDER_MARK + text
    : text;
}

/** Returns the byte of a character in Windows-1252; -1 for a character that it lacks. */
function byteOf(character: string): number {
  const code = character.charCodeAt(0);
  if (character.length === 1 && (code < FIRST_SPECIAL || (code > 0x9f && code <= 0xff))) return code;
  const at = SPECIAL.indexOf(character);
  return at < 0 ? -1 : FIRST_SPECIAL + at;
}

/** Names a character so that it cannot be confused with one that looks alike: `"’" (U+2019)`. */
export function describeCharacter(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return /[\p{Z}\p{C}\p{M}]/u.test(character) ? `U+${code}` : `"${character}" (U+${code})`;
}

/** Bytes that are converted at once: few enough for an argument list. */
const BYTES_AT_ONCE = 8_192;

/** Returns strings with one character for each byte, for parts of the bytes in order. */
function* latin1Parts(bytes: Uint8Array): Generator<string> {
  for (let at = 0; at < bytes.length; at += BYTES_AT_ONCE) {
    const part = bytes.subarray(at, at + BYTES_AT_ONCE);
    // Spreading the bytes is four times as slow.
    yield asciiText(part) ?? String.fromCharCode.apply(null, part as unknown as number[]);
  }
}

/** Returns the text of bytes that are all ASCII, many times as fast as byte by byte; null for others. */
function asciiText(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.length === bytes.length ? text : null; // each other character takes more bytes than units
  } catch {
    return null;
  }
}

/** Returns a string with one character for each byte. */
export function toLatin1(bytes: Uint8Array): string {
  return [...latin1Parts(bytes)].join('');
}
