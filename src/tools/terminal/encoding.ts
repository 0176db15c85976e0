import { toLatin1 } from '../../core/text-encoding.js';

/** Encodes a text with one of Node's encodings. Defaults to UTF-8 for any other name. */
export function encode(text: string, encoding = 'utf8'): Uint8Array {
  switch (encoding) {
    case 'binary':
    case 'latin1':
    case 'ascii':
      return fromLatin1(text);
    case 'base64':
      return fromLatin1(atob(text));
    case 'hex':
      return Uint8Array.from(text.match(/../gu) ?? [], (pair) => parseInt(pair, 16));
    default:
      return new TextEncoder().encode(text);
  }
}

/** Decodes bytes with one of Node's encodings. Defaults to UTF-8 for any other name. */
export function decode(bytes: Uint8Array, encoding = 'utf8'): string {
  switch (encoding) {
    case 'binary':
    case 'latin1':
    case 'ascii':
      return toLatin1(bytes);
    case 'base64':
      return btoa(toLatin1(bytes));
    case 'hex':
      return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
    default:
      return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  }
}

/** Returns whether bytes are text in UTF-8. */
export function isValidUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Subset of Node's `Buffer` that the shell's interpreter requires. */
export const smallBuffer = {
  from(
    value: string | ArrayLike<number>,
    encoding?: string,
  ): Uint8Array & { toString(encoding?: string): string } {
    const bytes = typeof value === 'string' ? encode(value, encoding) : Uint8Array.from(value);
    return Object.assign(bytes, { toString: (into?: string) => decode(bytes, into) });
  },
};

function fromLatin1(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = text.charCodeAt(at);
  return bytes;
}
