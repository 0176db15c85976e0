/** Maximum number of characters of a page that is unpacked: a short link could otherwise fill the memory. */
const MAX_PAGE = 20_000_000;

/** Compresses a page for the address of a link. */
export async function packPage(html: string): Promise<string> {
  const packed = new Blob([html]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += 0x8000)
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Returns the page of a link. @throws Error when the text is no page, or one of more than 20 million characters. */
export async function unpackPage(packed: string): Promise<string> {
  const text = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  const reader = new Blob([bytes])
    .stream()
    .pipeThrough(new DecompressionStream('deflate-raw'))
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let html = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    html += part.value;
    if (html.length > MAX_PAGE) throw new Error(`The page of the link has more than ${MAX_PAGE} characters.`);
  }
  return html;
}
