/**
 * Returns whether `new URL(text, base)` accepts the text. Use it in place of `URL.canParse`, which rejects valid addresses with non-ASCII
 * host names in Node 20 once the engine has optimized the call.
 */
export function isUrl(text: string, base?: string): boolean {
  try {
    new URL(text, base);
    return true;
  } catch {
    return false;
  }
}
