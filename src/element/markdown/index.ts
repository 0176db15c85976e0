import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { Marked, type Token, type Tokens } from 'marked';
import { isUrl } from '../../core/is-url.js';
import { codeView } from './code-view.js';
import { inParts, isCode, MAX_PARSED_CHARACTERS } from './in-parts.js';
import { formulas, formulaView, isFormula, mayHaveFormula } from './math.js';
import type { MarkdownOptions } from './renderers.js';

/** Depth at which a part of a reply is shown as plain text: deeper nesting could overflow the stack. */
const MAX_LEVELS = 30;
/** Number of parts of a reply, of a list, and of cells of a table, from which on the rest is shown as plain text: the page must stay usable. */
const MAX_PARTS = 5_000;
/** Spaces before a line that is deeper than any list, and of all such lines together. Parsing takes time quadratic in them. */
const DEEP = 64;
const MAX_DEEP_SPACES = 20_000;

/** Brackets of a part from which on it is shown as plain text: parsing takes time quadratic in them in WebKit. */
const MAX_BRACKETS = 2_000;

const plainReader = new Marked({ gfm: true });
const formulaReader = new Marked({ gfm: true }, formulas);

type MarkdownContent = TemplateResult | string | typeof nothing | readonly MarkdownContent[];

/** The place of a token: its depth, and what shows code and formulas there. */
interface TokenPlace {
  level: number;
  options: MarkdownOptions | undefined;
}

export type { Renderers } from './renderers.js';

/**
 * Returns a lit template of Markdown, such as a reply of a model. It has a few harmless elements, and no HTML is parsed: HTML in the text is
 * shown as text, images by their description, links with the host to which they lead. With `options`, blocks of code have colors and a button
 * that copies them, and formulas and diagrams are shown by what renders them.
 */
export function markdown(text: string, options?: MarkdownOptions): TemplateResult {
  const { copy, highlight, math, diagram } = options ?? {};
  const content = guard([text, copy, highlight, math, diagram], () =>
    blocks(parseBlocks(text, math ? formulaReader : plainReader), { level: 0, options }),
  );
  return html`<div class="markdown">${content}</div>`;
}

/** Returns the blocks of a text. What would take too long to parse is plain text: a reply must never stop the page. */
function parseBlocks(text: string, reader: Marked): Token[] {
  const tokens: Token[] = [];
  for (const part of inParts(text)) {
    if (tokens.length > MAX_PARTS || isTooLarge(part)) tokens.push({ type: 'code', raw: part, text: part });
    else tokens.push(...parsePart(part, mayHaveFormula(part) ? reader : plainReader));
  }
  return tokens;
}

function isTooLarge(part: string): boolean {
  const spaces = (part.match(/^[ \t]+/gmu) ?? []).filter(({ length }) => length >= DEEP);
  if (spaces.join('').length > MAX_DEEP_SPACES || part.split('[').length > MAX_BRACKETS) return true;
  return part.length > MAX_PARSED_CHARACTERS && !isCode(part);
}

/** Returns the blocks of a part, or the part itself when it is nested too deeply to parse. */
function parsePart(part: string, reader: Marked): Token[] {
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

function blocks(tokens: readonly Token[], place: TokenPlace): MarkdownContent {
  return upToMost(tokens, (token) => (place.level > MAX_LEVELS ? token.raw : block(token, deeper(place))));
}

/** Shows a list of parts, and from some number on their text. */
function upToMost<Part extends { raw: string }>(
  parts: readonly Part[],
  show: (part: Part) => MarkdownContent,
): MarkdownContent {
  const shown = parts.slice(0, MAX_PARTS).map(show);
  const rest = parts.slice(MAX_PARTS).map(({ raw }) => raw);
  return rest.length === 0 ? shown : [...shown, html`<pre>${rest.join('')}</pre>`];
}

function block(token: Token, place: TokenPlace): MarkdownContent {
  switch (token.type) {
    case 'paragraph':
      return html`<p>${inline(token, place)}</p>`;
    case 'heading':
      return heading(token as Tokens.Heading, place);
    case 'code':
      return code(token as Tokens.Code, place);
    case 'blockquote':
      return html`<blockquote>${blocks((token as Tokens.Blockquote).tokens, place)}</blockquote>`;
    case 'list':
      return listView(token as Tokens.List, place);
    case 'table':
      return table(token as Tokens.Table, place);
    case 'hr':
      return html`<hr />`;
    case 'space':
    case 'def':
      return nothing;
    default:
      return inlineToken(token, place);
  }
}

function code(token: Tokens.Code, { options }: TokenPlace): TemplateResult {
  const isWhole = /(?:```|~~~)\s*$/.test(token.raw);
  return codeView(token.text, languageOf(token), isWhole, options);
}

function heading(token: Tokens.Heading, place: TokenPlace): TemplateResult {
  const content = inline(token, place);
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

function listView({ ordered, start, items }: Tokens.List, place: TokenPlace): TemplateResult {
  const content = upToMost(
    items,
    ({ task, checked, tokens }) =>
      html`<li>${task ? (checked === true ? '☑ ' : '☐ ') : nothing}${blocks(tokens, place)}</li>`,
  );
  return ordered
    ? html`<ol start=${start === '' ? 1 : start}>
        ${content}
      </ol>`
    : html`<ul>
        ${content}
      </ul>`;
}

function table({ header, rows, raw, align }: Tokens.Table, place: TokenPlace): TemplateResult {
  if (header.length * (rows.length + 1) > MAX_PARTS) return html`<pre>${raw}</pre>`;
  return html`<table>
    <thead>
      <tr>
        ${header.map((cell, column) => html`<th align=${align[column] ?? nothing}>${inline(cell, place)}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            ${row.map((cell, column) => html`<td align=${align[column] ?? nothing}>${inline(cell, place)}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function deeper({ level, options }: TokenPlace): TokenPlace {
  return { level: level + 1, options };
}

/** Returns the language that a block of code names. */
function languageOf({ lang = '' }: Tokens.Code): string {
  return /^[\w+#.-]*/.exec(lang)?.[0].slice(0, 20) ?? '';
}

function inline({ tokens }: { tokens?: Token[] | undefined }, place: TokenPlace): MarkdownContent {
  return upToMost(tokens ?? [], (token) =>
    place.level > MAX_LEVELS ? token.raw : inlineToken(token, deeper(place)),
  );
}

function inlineToken(token: Token, place: TokenPlace): MarkdownContent {
  if (isFormula(token)) return formulaView(token, place.options?.math);
  switch (token.type) {
    case 'strong':
      return html`<strong>${inline(token, place)}</strong>`;
    case 'em':
      return html`<em>${inline(token, place)}</em>`;
    case 'del':
      return html`<del>${inline(token, place)}</del>`;
    case 'codespan':
      return html`<code>${(token as Tokens.Codespan).text}</code>`;
    case 'br':
      return html`<br />`;
    case 'link':
      return linkView(token as Tokens.Link, inline(token, place));
    case 'checkbox': // The list shows it.
      return nothing;
    case 'text':
      return 'tokens' in token && Array.isArray(token.tokens)
        ? inline(token, place)
        : decodeEntities(tokenText(token));
    case 'html':
      return tokenText(token);
    default: // escape, image
      return decodeEntities(tokenText(token));
  }
}

const ALLOWED = ['http:', 'https:', 'mailto:'];

/** A link with the host to which it leads, unless its text is the address; the text alone where the address is of another kind. */
function linkView(link: Tokens.Link, content: unknown): TemplateResult {
  const href = decodeEntities(link.href).trim();
  const url = isUrl(href) ? new URL(href) : null;
  if (url === null || !ALLOWED.includes(url.protocol)) return html`${content}`;
  return html`<a
      href=${url.href}
      title=${link.title ? decodeEntities(link.title) : nothing}
      target="_blank"
      rel="noopener noreferrer"
      >${content}</a
    >${showsAddress(linkText(link.tokens), url) ? nothing : html`<span class="host"> (${linkDestination(url)})</span>`}`;
}

function linkText(tokens: readonly Token[]): string {
  return tokens
    .map((token) =>
      'tokens' in token && Array.isArray(token.tokens)
        ? linkText(token.tokens)
        : decodeEntities(tokenText(token)),
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
function linkDestination({ href, host, protocol }: URL): string {
  return protocol === 'mailto:' ? href.slice('mailto:'.length) : host;
}

/** The named characters that models write. */
// cspell:disable
const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  deg: '°',
  times: '×',
  rarr: '→',
  larr: '←',
  euro: '€',
  pound: '£',
};
// cspell:enable

/** Replaces numeric character references of HTML, and the most usual named ones. */
function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/gi, (whole, decimal, hex, name) => {
    if (typeof name === 'string')
      return (Object.hasOwn(NAMED_ENTITIES, name) ? NAMED_ENTITIES[name] : undefined) ?? whole;
    const code = typeof decimal === 'string' ? Number(decimal) : parseInt(String(hex), 16);
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
      ? String.fromCodePoint(code)
      : '\ufffd';
  });
}

/** The text of a token as it was written, without the marks around it where the parser has removed them. */
function tokenText(token: Token): string {
  return 'text' in token && typeof token.text === 'string' ? token.text : token.raw;
}
