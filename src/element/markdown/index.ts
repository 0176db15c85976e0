import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { Marked, type Token, type Tokens } from 'marked';
import { decoded } from './entities.js';
import { inParts, isCode, MOST_CHARACTERS } from './in-parts.js';
import { linkView } from './links.js';
import { textOf } from './token-text.js';

/** Depth at which a part of a reply is shown as plain text: deeper nesting could overflow the stack. */
const MOST_LEVELS = 30;
/** Number of parts of a reply, of a list, and of cells of a table, from which on the rest is shown as plain text: the page must stay usable. */
const MOST_PARTS = 5_000;
/** Spaces before a line that is deeper than any list, and of all such lines together. Parsing takes time quadratic in them. */
const DEEP = 64;
const MOST_DEEP_SPACES = 20_000;

/** Brackets of a part from which on it is shown as plain text: parsing takes time quadratic in them in WebKit. */
const MOST_BRACKETS = 2_000;

const reader = new Marked({ gfm: true });

type Shown = TemplateResult | string | typeof nothing | readonly Shown[];

/**
 * Returns a lit template of Markdown, such as a reply of a model. It has a few harmless elements, and no HTML is parsed: HTML in the text is
 * shown as text, images by their description, links with the host to which they lead.
 */
export function markdown(text: string): TemplateResult {
  return html`<div class="markdown">${guard([text], () => blocks(tokensOf(text), 0))}</div>`;
}

/** Returns the blocks of a text. What would take too long to parse is plain text: a reply must never stop the page. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (const part of inParts(text)) {
    if (tokens.length > MOST_PARTS || isTooLarge(part)) tokens.push({ type: 'code', raw: part, text: part });
    else tokens.push(...parsed(part));
  }
  return tokens;
}

function isTooLarge(part: string): boolean {
  const spaces = (part.match(/^[ \t]+/gmu) ?? []).filter(({ length }) => length >= DEEP);
  if (spaces.join('').length > MOST_DEEP_SPACES || part.split('[').length > MOST_BRACKETS) return true;
  return part.length > MOST_CHARACTERS && !isCode(part);
}

/** Returns the blocks of a part, or the part itself when it is nested too deeply to parse. */
function parsed(part: string): Token[] {
  try {
    return reader.lexer(part);
  } catch (error) {
    if (!isStackOverflow(error)) throw error;
    return [{ type: 'code', raw: part, text: part }];
  }
}

/** Firefox throws an `InternalError`, which no standard names; other browsers throw a `RangeError`. */
function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof Error && error.name === 'InternalError');
}

function blocks(tokens: readonly Token[], level: number): Shown {
  return upToMost(tokens, (token) => (level > MOST_LEVELS ? token.raw : block(token, level + 1)));
}

/** Shows a list of parts, and from some number on their text. */
function upToMost<Part extends { raw: string }>(parts: readonly Part[], show: (part: Part) => Shown): Shown {
  const shown = parts.slice(0, MOST_PARTS).map(show);
  const rest = parts.slice(MOST_PARTS).map(({ raw }) => raw);
  return rest.length === 0 ? shown : [...shown, html`<pre>${rest.join('')}</pre>`];
}

function block(token: Token, level: number): Shown {
  switch (token.type) {
    case 'paragraph':
      return html`<p>${inline(token, level)}</p>`;
    case 'heading':
      return heading(token as Tokens.Heading, level);
    case 'code':
      return html`<pre><code>${(token as Tokens.Code).text}
</code></pre>`;
    case 'blockquote':
      return html`<blockquote>${blocks((token as Tokens.Blockquote).tokens, level)}</blockquote>`;
    case 'list':
      return list(token as Tokens.List, level);
    case 'table':
      return table(token as Tokens.Table, level);
    case 'hr':
      return html`<hr />`;
    case 'space':
    case 'def':
      return nothing;
    default:
      return inlineToken(token, level);
  }
}

function heading(token: Tokens.Heading, level: number): TemplateResult {
  const content = inline(token, level);
  switch (token.depth) {
    case 1:
      return html`<h1>${content}</h1>`;
    case 2:
      return html`<h2>${content}</h2>`;
    case 3:
      return html`<h3>${content}</h3>`;
    case 4:
      return html`<h4>${content}</h4>`;
    case 5:
      return html`<h5>${content}</h5>`;
    default:
      return html`<h6>${content}</h6>`;
  }
}

function list({ ordered, start, items }: Tokens.List, level: number): TemplateResult {
  const content = upToMost(
    items,
    ({ task, checked, tokens }) =>
      html`<li>${task ? (checked === true ? '☑ ' : '☐ ') : nothing}${blocks(tokens, level)}</li>`,
  );
  return ordered
    ? html`<ol start=${start === '' ? 1 : start}>
        ${content}
      </ol>`
    : html`<ul>
        ${content}
      </ul>`;
}

function table({ header, rows, raw }: Tokens.Table, level: number): TemplateResult {
  if (header.length * (rows.length + 1) > MOST_PARTS) return html`<pre>${raw}</pre>`;
  return html`<table>
    <thead>
      <tr>
        ${header.map((cell) => html`<th>${inline(cell, level)}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            ${row.map((cell) => html`<td>${inline(cell, level)}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function inline({ tokens }: { tokens?: Token[] | undefined }, level: number): Shown {
  return upToMost(tokens ?? [], (token) => (level > MOST_LEVELS ? token.raw : inlineToken(token, level + 1)));
}

function inlineToken(token: Token, level: number): Shown {
  switch (token.type) {
    case 'strong':
      return html`<strong>${inline(token, level)}</strong>`;
    case 'em':
      return html`<em>${inline(token, level)}</em>`;
    case 'del':
      return html`<del>${inline(token, level)}</del>`;
    case 'codespan':
      return html`<code>${(token as Tokens.Codespan).text}</code>`;
    case 'br':
      return html`<br />`;
    case 'link':
      return linkView(token as Tokens.Link, inline(token, level));
    case 'checkbox': // The list shows it.
      return nothing;
    case 'text':
      return 'tokens' in token && Array.isArray(token.tokens) ? inline(token, level) : decoded(textOf(token));
    case 'html':
      return textOf(token);
    default: // escape, image
      return decoded(textOf(token));
  }
}
