import { decodeText } from '../../../core/text-encoding.js';

/** Returns the text of a file of a page, without its byte order mark. A file that is not UTF-8 has the encoding that its bytes show. */
export function pageText(bytes: Uint8Array): string {
  const text = decodeText(bytes)?.text ?? new TextDecoder().decode(bytes);
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
