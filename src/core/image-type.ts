/**
 * Returns the media type of an image that model services read, by its first bytes, whatever its name says; null for anything else.
 * BMP and TIFF are left out: most services reject a request that contains them.
 */
export function imageType(bytes: Uint8Array): string | null {
  const start = String.fromCharCode(...bytes.subarray(0, 16));
  if (start.startsWith('\x89PNG\r\n\x1A\n')) return 'image/png';
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
  if (/^GIF8[79]a/.test(start)) return 'image/gif';
  if (/^RIFF[^]{4}WEBP/.test(start)) return 'image/webp';
  if (/^[^]{4}ftypavi[fs]/.test(start)) return 'image/avif';
  return null;
}
