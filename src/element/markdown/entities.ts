/** The named characters that models write. */
// cspell:disable
const NAMED: Readonly<Record<string, string>> = {
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
export function decoded(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/gi, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return (Object.hasOwn(NAMED, name) ? NAMED[name] : undefined) ?? whole;
    const code = typeof decimal === 'string' ? Number(decimal) : parseInt(String(hex), 16);
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
      ? String.fromCodePoint(code)
      : '\ufffd';
  });
}
