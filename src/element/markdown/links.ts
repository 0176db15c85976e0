import { html, nothing, type TemplateResult } from 'lit';
import type { Token, Tokens } from 'marked';
import { isUrl } from '../../core/is-url.js';
import { decoded } from './entities.js';
import { textOf } from './token-text.js';

const ALLOWED = ['http:', 'https:', 'mailto:'];

/** A link with the host to which it leads, unless its text is the address; the text alone where the address is of another kind. */
export function linkView(link: Tokens.Link, content: unknown): TemplateResult {
  const href = decoded(link.href).trim();
  const url = isUrl(href) ? new URL(href) : null;
  if (url === null || !ALLOWED.includes(url.protocol)) return html`${content}`;
  return html`<a
      href=${url.href}
      title=${link.title ? decoded(link.title) : nothing}
      target="_blank"
      rel="noopener noreferrer"
      >${content}</a
    >${showsAddress(wordsOf(link.tokens), url) ? nothing : html`<span class="host"> (${targetOf(url)})</span>`}`;
}

function wordsOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) =>
      'tokens' in token && Array.isArray(token.tokens) ? wordsOf(token.tokens) : decoded(textOf(token)),
    )
    .join('')
    .trim();
}

/** Returns whether the text of a link is its address. A text that looks like another address is not. */
function showsAddress(text: string, { href, protocol }: URL): boolean {
  if (protocol === 'mailto:') return href === `mailto:${text}`;
  return [text, `https://${text}`, `http://${text}`].some(
    (address) => isUrl(address) && new URL(address).href === href,
  );
}

/** Where a link leads: its host, or the address of a mail. */
function targetOf({ href, host, protocol }: URL): string {
  return protocol === 'mailto:' ? href.slice('mailto:'.length) : host;
}
