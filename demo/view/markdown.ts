import DOMPurify from 'dompurify';
import { html, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import { Marked } from 'marked';

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

/** Converts Markdown to HTML of a few harmless elements, sanitized again before it reaches the page. */
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

function sanitized(text: string): string {
  const fragment = DOMPurify.sanitize(parsed(text), {
    ...ALLOWED,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const link of fragment.querySelectorAll('a')) {
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
  }
  const holder = document.createElement('div');
  holder.append(fragment);
  return holder.innerHTML;
}
