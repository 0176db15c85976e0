/** Index of the next match from an index on; the length of the text if nothing matches. */
export function find(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

/** The text of the line before an index, trimmed. */
export function lineBefore(text: string, at: number): string {
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, at).trim();
}
