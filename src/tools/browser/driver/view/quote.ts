/** Quotes a text as Python's `repr` does: single quotes, unless the text contains single quotes and no double quotes. */
export function quote(text: string): string {
  const escaped = text.replace(/\\/g, '\\\\').replace(/\n/g, '\\n').replace(/\t/g, '\\t');
  if (!escaped.includes("'")) return `'${escaped}'`;
  if (!escaped.includes('"')) return `"${escaped}"`;
  return `'${escaped.replace(/'/g, "\\'")}'`;
}

/** Collapses whitespace as rendered, to one space. */
export function collapse(text: string): string {
  return text.replace(/[\s\u00a0\u200b\u00ad]+/g, ' ').trim();
}

export function cut(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}

/** Returns whether a text contains letters or digits. */
export function isWords(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** Splits a text into parts of at most `longest` characters, at spaces. */
export function splitAtSpaces(text: string, longest: number): string[] {
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

/** Removes whitespace and case from a text, for comparisons. */
export function squeeze(text: string): string {
  return text.replace(/\s+/g, '').toLowerCase();
}

/** Decodes percent-encoding. Returns a text that is not valid as it is. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
