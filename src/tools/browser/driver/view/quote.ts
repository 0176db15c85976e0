/** A text in quotes as Python's `repr` writes it: single quotes, unless the text holds one and no double one. */
export function quote(text: string): string {
  const escaped = text.replace(/\\/g, '\\\\').replace(/\n/g, '\\n').replace(/\t/g, '\\t');
  if (!escaped.includes("'")) return `'${escaped}'`;
  if (!escaped.includes('"')) return `"${escaped}"`;
  return `'${escaped.replace(/'/g, "\\'")}'`;
}

/** White space as it is seen: one blank. */
export function collapse(text: string): string {
  return text.replace(/[\s\u00a0\u200b\u00ad]+/g, ' ').trim();
}

export function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

/** Whether a text has letters or digits, not only symbols. */
export function isWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** A text in parts of at most `longest` characters, cut at blanks. */
export function pieces(text: string, longest: number): string[] {
  const found: string[] = [];
  let rest = text;
  while (rest.length > longest) {
    const blank = rest.lastIndexOf(' ', longest);
    const end = blank > 0 ? blank : longest;
    found.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...found, rest];
}

/** A text without white space and case, for comparisons. */
export function squeeze(text: string): string {
  return text.replace(/\s+/g, '').toLowerCase();
}
