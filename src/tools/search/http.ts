import { RoleZeroError } from '../../core/error.js';

const NOT_FETCHED =
  'it could not be fetched: it is not reachable, or its server does not let pages of other origins read it (CORS)';

const MAX_JSON_BYTES = 4 * 1024 * 1024;

/**
 * Fetches the first `maxBytes` bytes at an address, and its media type. Sends no data about the user: no cookies, no referrer.
 *
 * @throws RoleZeroError `tool-failed` if the address cannot be fetched, redirects to another host, or returns an error status.
 */
export async function fetchText(
  url: string,
  signal: AbortSignal,
  maxBytes: number,
): Promise<{ text: string; type: string; isCut: boolean }> {
  let response: Response;
  try {
    response = await fetch(url, { signal, credentials: 'omit', referrerPolicy: 'no-referrer' });
  } catch (error) {
    signal.throwIfAborted();
    throw new RoleZeroError('tool-failed', NOT_FETCHED, { url }, error);
  }
  // Browsers do not reveal the target of a redirect in advance. Content of an address that was not requested is not read.
  if (response.redirected && !isSamePlace(url, response.url)) {
    await response.body?.cancel();
    const message = `it redirects to ${response.url}: ask for that address itself`;
    throw new RoleZeroError('tool-failed', message, { url, redirect: response.url });
  }
  if (!response.ok) {
    await response.body?.cancel();
    throw new RoleZeroError('tool-failed', `its server answered ${response.status}`, {
      url,
      status: response.status,
    });
  }
  const [type = '', ...parameters] = (response.headers.get('content-type') ?? '').toLowerCase().split(';');
  const charset = /charset="?([\w-]+)/.exec(parameters.join(';'))?.[1];
  return { ...(await readBeginning(response, decoderFor(charset), maxBytes)), type: type.trim() };
}

/** Returns whether an address leads to the same host as another. It may change to https, and add or remove `www.`, as most redirects do. */
export function isSamePlace(from: string, to: string): boolean {
  const [asked, found] = [new URL(from), new URL(to)];
  const bare = ({ host }: URL): string => host.replace(/^www\./, '');
  const safe = found.protocol === asked.protocol || found.protocol === 'https:';
  return safe && bare(asked) === bare(found);
}

/**
 * Fetches JSON.
 *
 * @throws RoleZeroError `tool-failed` if it cannot be fetched, is refused, is too large, or is not JSON.
 */
export async function fetchJson(url: URL, signal: AbortSignal): Promise<unknown> {
  const { text, isCut } = await fetchText(url.href, signal, MAX_JSON_BYTES);
  if (isCut) {
    const message = `its answer has more than ${MAX_JSON_BYTES} bytes`;
    throw new RoleZeroError('tool-failed', message, { url: url.href });
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new RoleZeroError('tool-failed', 'its answer is no JSON', { url: url.href }, error);
  }
}

/** Reads at most `maxBytes` bytes. Counts them as they arrive, because `content-length` may be missing, wrong, or the compressed size. */
async function readBeginning(
  response: Response,
  decoder: TextDecoder,
  maxBytes: number,
): Promise<{ text: string; isCut: boolean }> {
  const pieces: string[] = [];
  const reader = response.body?.getReader();
  let room = maxBytes;
  try {
    while (reader !== undefined && room >= 0) {
      const { done, value } = await reader.read();
      if (done) break;
      pieces.push(decoder.decode(value.subarray(0, room), { stream: true }));
      room -= value.length;
    }
  } finally {
    reader?.cancel().catch(() => undefined); // the original error was already thrown
  }
  return { text: pieces.join('') + decoder.decode(), isCut: room < 0 };
}

/** Returns a decoder for a charset. Older pages do not use UTF-8. An unknown charset is decoded as UTF-8. */
function decoderFor(charset = 'utf-8'): TextDecoder {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
