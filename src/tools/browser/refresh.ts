/** Parses the `content` of `<meta http-equiv="refresh">`. The address is empty for a reload. Returns null for one that does nothing. */
export function readRefresh(content: string): { seconds: number; url: string } | null {
  const found = /^\s*(\d+(?:\.\d+)?)\s*(?:[;,]\s*(?:url\s*=)?\s*["']?([^"']*))?/i.exec(content);
  if (found === null) return null;
  const [, seconds = '0', url = ''] = found;
  return { seconds: Number(seconds), url: url.trim() };
}
