/** Elements whose content nobody reads. */
const UNREAD = /<(script|style|noscript|template|svg|head|nav|footer|iframe)\b/gi;
/** Tags inside of words. */
const INLINE = /^<\/?(a|b|i|u|s|em|strong|span|code|sub|sup|mark|small|abbr|wbr|font|q|cite|var|kbd)\b/i;

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
};

/** The words of a web page, in one line. A worker has no DOM to ask; in time linear in the length, also for hostile pages. */
export function htmlText(html: string): string {
  const plain = withoutUnread(withoutComments(html)).replace(/<[a-z/!?][^<>]*>/gi, (tag) =>
    INLINE.test(tag) ? '' : ' ',
  );
  return entitiesRead(plain).split(/\s+/).join(' ').trim();
}

/** Texts as engines mark them up: `<b>found</b> &amp; more`. */
export function entitiesRead(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#[0-9]{1,7}|[a-z]{2,6});/gi, (entity, name: string) => {
    if (!name.startsWith('#')) return ENTITIES[name.toLowerCase()] ?? entity;
    const code = /^#x/i.test(name) ? parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  });
}

function withoutComments(html: string): string {
  const kept: string[] = [];
  let from = 0;
  for (;;) {
    const start = html.indexOf('<!--', from);
    if (start < 0) return kept.join('') + html.slice(from);
    kept.push(html.slice(from, start));
    const end = html.indexOf('-->', start + 4);
    if (end < 0) return kept.join('');
    from = end + 3;
  }
}

function withoutUnread(html: string): string {
  const kept: string[] = [];
  let from = 0;
  for (const match of html.matchAll(UNREAD)) {
    if (match.index < from) continue; // inside of one that is left out
    kept.push(html.slice(from, match.index), ' ');
    const closing = new RegExp(`</${match[1]}`, 'gi');
    closing.lastIndex = match.index;
    const end = closing.exec(html);
    if (end === null) return kept.join('');
    from = end.index;
  }
  return kept.join('') + html.slice(from);
}
