import type { Command } from '../../core/human.js';
import type { JsonValue } from '../../core/json.js';

/**
 * Returns whether a repaired list holds nothing but what its reply holds: the names of the commands and every text and number of their
 * arguments, apart from escapes, whitespace, and the spelling of names.
 *
 * @param aliasesOf returns the other names of a command
 */
export function occursInReply(
  reply: string,
  commands: readonly Command[],
  aliasesOf: (name: string) => readonly string[],
): boolean {
  const text = withoutEscapes(reply);
  const isWritten = (value: JsonValue): boolean => {
    if (Array.isArray(value)) return value.every(isWritten);
    if (typeof value === 'object' && value !== null) return Object.values(value).every(isWritten);
    return typeof value === 'boolean' || value === null || text.includes(withoutEscapes(String(value)));
  };
  return commands.every(
    ({ name, args }) => [name, ...aliasesOf(name)].some((each) => hasName(reply, each)) && isWritten(args),
  );
}

/** A name of one word, such as `end`, is a word of many sentences: it counts only in quotes, after a colon, or before a parenthesis. */
function hasName(reply: string, name: string): boolean {
  const words = name.split(/[^\p{L}\d]+/u).filter((word) => word !== '');
  const pattern = words.join('[^\\p{L}\\d]{0,3}');
  const before = words.length > 1 ? '(?<![\\p{L}\\d])' : '["\'`:]\\s*';
  const forms = [`${before}${pattern}(?![\\p{L}\\d])`, `(?<![\\p{L}\\d])${pattern}\\s*[({]`];
  return forms.some((form) => new RegExp(form, 'iu').test(reply));
}

/** Returns a text without backslashes and whitespace: so it compares equal however often it was escaped. */
function withoutEscapes(text: string): string {
  return text
    .replace(/\\+u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\+[nrt]|[\s\\]+/g, '');
}
