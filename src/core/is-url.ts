/**
 * Returns whether `new URL(text, base)` accepts the text. Use it in place of `URL.canParse`. In Node 20, that function rejects valid
 * addresses with non-ASCII host names once the engine has optimized the call.
 */
export function isUrl(text: string, base?: string): boolean {
  try {
    new URL(text, base);
    return true;
  } catch {
    return false;
  }
}
