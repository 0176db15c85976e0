import { Tokenizer } from 'htmlparser2';

/** Elements whose content is not part of a page's text. */
const UNREAD: ReadonlySet<string> = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'head',
  'nav',
  'footer',
  'iframe',
]);
/** Elements that may occur inside a word. Other tags separate words. */
const INLINE_TAGS: ReadonlySet<string> = new Set([
  'a',
  'b',
  'i',
  'u',
  's',
  'em',
  'strong',
  'span',
  'code',
  'sub',
  'sup',
  'mark',
  'small',
  'abbr',
  'wbr',
  'font',
  'q',
  'cite',
  'var',
  'kbd',
]);

const ignore = (): void => undefined;
/** Events of the tokenizer that do not affect the text. */
const IGNORED_EVENTS = {
  onattribdata: ignore,
  onattribentity: ignore,
  onattribend: ignore,
  onattribname: ignore,
  oncomment: ignore,
  ondeclaration: ignore,
  onend: ignore,
  onopentagend: ignore,
  onprocessinginstruction: ignore,
};

/** Returns the text of a web page in one line. Needs no DOM, and takes linear time, even for hostile pages. */
export function htmlText(html: string): string {
  const parts: string[] = [];
  let opened = '';
  /** Ignored element around the current position, and the number of open elements with its name. */
  let unread: { name: string; depth: number } | null = null;
  const add = (text: string): void => {
    if (unread === null) parts.push(text);
  };
  const close = (name: string): void => {
    if (name === unread?.name && --unread.depth === 0) unread = null;
    if (!INLINE_TAGS.has(name)) add(' ');
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: true },
    {
      ...IGNORED_EVENTS,
      ontext: (start, end) => add(html.slice(start, end)),
      ontextentity: (codePoint) => add(String.fromCodePoint(codePoint)),
      oncdata: (start, end) => add(html.slice(start, end)),
      onopentagname(start, end) {
        opened = html.slice(start, end).toLowerCase();
        if (!INLINE_TAGS.has(opened)) add(' ');
        if (opened === 'body' && unread?.name === 'head') unread = null; // the end tag of the head is optional
        if (unread === null && UNREAD.has(opened)) unread = { name: opened, depth: 1 };
        else if (unread?.name === opened) unread.depth += 1;
      },
      onselfclosingtag() {
        if (opened === 'svg') close(opened); // other elements are not self-closing in HTML
      },
      onclosetag: (start, end) => close(html.slice(start, end).toLowerCase()),
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return parts.join('').split(/\s+/).join(' ').trim();
}
