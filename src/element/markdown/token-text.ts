import type { Token } from 'marked';

/** The text of a token as it was written, without the marks around it where the parser has removed them. */
export function textOf(token: Token): string {
  return 'text' in token && typeof token.text === 'string' ? token.text : token.raw;
}
