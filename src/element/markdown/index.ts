import DOMPurify from 'dompurify';
import { html, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { Marked } from 'marked';
import { isUrl } from '../../core/is-url.js';

/** Allowed elements in replies: nothing that loads, runs, floats over the page or takes input. */
const ALLOWED = {
  ALLOWED_TAGS: [
    ...['p', 'br', 'hr', 'blockquote', 'ul', 'ol', 'li', 'pre', 'code', 'em', 'strong', 'del', 'a'],
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  ALLOWED_ATTR: ['href', 'title', 'start'],
  ALLOWED_URI_REGEXP: /^(https?|mailto):/i,
};

/** HTML in a reply is shown as text. Images would load from any origin; only their description is shown. */
const reader = new Marked({
  gfm: true,
  renderer: {
    html: ({ text }) => escaped(text),
    image: ({ text }) => escaped(text),
  },
});

/**
 * Returns a lit template of Markdown, such as a reply of a model: HTML of a few harmless elements, sanitized again before it reaches the page.
 * HTML in the text is shown as text, images by their description, links with the host to which they lead.
 */
export function markdown(text: string): TemplateResult {
  return html`<div class="markdown">${guard([text], () => unsafeHTML(sanitized(text)))}</div>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * Returns the HTML of a text, or the text itself when it is nested too deeply to parse: a reply must never stop the
 * page.
 */
function parsed(text: string): string {
  try {
    return reader.parse(text, { async: false });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return `<pre>${escaped(text)}</pre>`;
  }
}

/** Returns whether the text of a link is its address. A text that looks like another address is not. */
function showsAddress({ textContent, href, protocol }: HTMLAnchorElement): boolean {
  const text = textContent.trim();
  if (protocol === 'mailto:') return href === `mailto:${text}`;
  return [text, `https://${text}`, `http://${text}`].some(
    (address) => isUrl(address) && new URL(address).href === href,
  );
}

/** Where a link leads: its host, or the address of a mail. */
function targetOf({ href, host, protocol }: HTMLAnchorElement): HTMLElement {
  const target = document.createElement('span');
  target.className = 'host';
  target.textContent = ` (${protocol === 'mailto:' ? href.slice('mailto:'.length) : host})`;
  return target;
}

function sanitized(text: string): string {
  const fragment = DOMPurify.sanitize(parsed(text), {
    ...ALLOWED,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const link of fragment.querySelectorAll('a')) {
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
    if (!showsAddress(link)) link.after(targetOf(link));
  }
  const holder = document.createElement('div');
  holder.append(fragment);
  return holder.innerHTML;
}
