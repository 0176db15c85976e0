import { RoleZeroError } from './error.js';

/** Matches placeholders that documentation prints instead of a key. */
const PLACEHOLDERS = [
  /^(sk|key|api|gsk|pk)?[-_]?(proj|ant|or|v1)?[-_]?(…|\.{2,}|x{3,}|\*{3,})/i, // sk-…, sk-..., sk-xxxx, sk-proj-***
  /(…|\.{3,})$/, // truncated key
  /^[<[{].*[>\]}]$/, // <your key>
  /\byour[-_ ]?([a-z]+[-_ ]){0,3}?(key|token)\b/i, // YOUR_API_KEY
  /(insert|paste|put|replace)[-_ ].*(key|token)/i,
];

/** Maximum number of characters of a placeholder that an error shows. */
const MAX_SHOWN_KEY = 24;

/**
 * Rejects a key that cannot be valid, before anything is sent.
 *
 * @param option Name of the option, for the error.
 * @throws RoleZeroError `invalid` for a value that is not a string, for a placeholder, and for a key that no HTTP header can contain.
 */
export function checkApiKey(key: unknown, option = 'apiKey'): void {
  if (typeof key !== 'string')
    // Only the type is shown, because the value may be secret.
    throw new RoleZeroError(
      'invalid',
      `\`${option}\` must be a string, but is ${key === null ? 'null' : `of type ${typeof key}`}. Leave it out if the server needs no key.`,
      { option },
    );
  const text = key.trim();
  if (PLACEHOLDERS.some((pattern) => pattern.test(text.replaceAll('_', '-')) || pattern.test(text))) {
    const shown = text.length > MAX_SHOWN_KEY ? `${text.slice(0, MAX_SHOWN_KEY)}…` : text;
    throw new RoleZeroError('invalid', `"${shown}" is a placeholder: put your key into \`${option}\`.`, {
      option,
    });
  }
  checkHeaderValue(text, option);
}

/**
 * Rejects a value that no HTTP header can contain.
 *
 * @param name Name of the option, for the error, which does not show the value.
 * @throws RoleZeroError `invalid` for a value that no HTTP header can contain.
 */
export function checkHeaderValue(value: string, name: string): void {
  const wrong = Array.from(value.trim()).find(
    (character) => !isHeaderCharacter(character.codePointAt(0) ?? 0),
  );
  if (wrong === undefined) return;
  throw new RoleZeroError(
    'invalid',
    `\`${name}\` contains ${describeKeyCharacter(wrong)}, which no HTTP header can carry. Is it a placeholder, or copied with text around it?`,
  );
}

/** RFC 9110: tab, visible ASCII, space, and the upper half of Latin-1. */
function isHeaderCharacter(code: number): boolean {
  return code === 0x09 || (code >= 0x20 && code <= 0xff && code !== 0x7f);
}

function describeKeyCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (character === '\n' || character === '\r') return 'a line break';
  if (code < 0x20 || code === 0x7f) return `a control character (${unicode(code)})`;
  return `the character "${character}" (${unicode(code)})`;
}

function unicode(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
