/** Returns the length of the text in UTF-8 bytes, without encoding it. A lone surrogate counts as the replacement character. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    bytes += 1;
    if (unit < 0x800) continue;
    bytes += 1;
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(i + 1);
    if (next >= 0xdc00 && next <= 0xdfff) i += 1; // a pair: 4 bytes for 2 units, counted as 2 + 2
  }
  return bytes;
}
