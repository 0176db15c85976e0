import { defined } from '../../core/defined.js';
import { RoleZeroError, sentences } from '../../core/error.js';
import { isUrl } from '../../core/is-url.js';
import { isLoopback, isPrivate } from './base-url.js';
import type { Target } from './errors.js';
import type { Patience } from './patience.js';

/** Environment that a request was made from. All fields are missing outside of a browser. */
export interface Surroundings {
  /** Origin of the page, or of the page that owns the worker. */
  origin?: string;
  /** False when the browser knows that there is no network. */
  onLine?: boolean;
}

/** Returns the current environment. */
export function surroundings(): Surroundings {
  const { location, navigator } = globalThis as {
    location?: { origin: string };
    navigator?: { onLine?: boolean };
  };
  return {
    ...defined({ origin: location?.origin, onLine: navigator?.onLine }),
  };
}

/** Result of a probe: the origin answers, it does not answer, or there was no probe or it timed out. */
export type Probed = 'answers' | 'silent' | 'unknown';

/** Information besides the URLs. */
export interface Reachability {
  probed: Probed;
  /** True when a response of this server was read before, so that it permits this page. */
  reached: boolean;
}

const NOTHING_KNOWN: Reachability = { probed: 'unknown', reached: false };

/** Maximum duration of a probe in ms. */
const PROBE_MS = 3_000;

/**
 * Checks whether anything answers at an origin. Browsers hide why a request failed, but a `no-cors` request succeeds as soon as there is
 * any response. The probe requests `/`, without key, prompt, cookies, or the path of the original request.
 *
 * @throws RoleZeroError `aborted` or `model-timeout` when `patience` ends.
 */
export async function probe(url: URL, where: Surroundings, patience: Patience): Promise<Probed> {
  if (!isForeign(url, where) || isMixedContent(url, where.origin)) return 'unknown';
  const tooLate = AbortSignal.timeout(PROBE_MS);
  const request: RequestInit = {
    mode: 'no-cors',
    credentials: 'omit',
    cache: 'no-store',
    referrerPolicy: 'no-referrer',
    signal: AbortSignal.any([patience.signal, tooLate]),
  };
  try {
    await patience.during(fetch(`${url.origin}/`, request));
    return 'answers';
  } catch {
    patience.check();
    return tooLate.aborted ? 'unknown' : 'silent';
  }
}

/**
 * Creates the error for a request without a response. States the cause that the probe found, otherwise the likely causes, most likely
 * first.
 */
export function unreachable(
  target: Target,
  headerNames: readonly string[],
  where: Surroundings,
  cause: unknown,
  known: Reachability = NOTHING_KNOWN,
): RoleZeroError {
  const url = new URL(target.url);
  const likely = likelyCauses(url, headerNames, where, known);
  const blocked = isMixedContent(url, where.origin);
  const [first = '', ...others] = likely;
  const reason = known.probed === 'unknown' ? `Likely: ${first}` : capitalized(first);
  const more = others.map((other) => `Or: ${other}`);
  return new RoleZeroError(
    'model-unreachable',
    sentences(`Could not reach ${url.host}`, reason, ...more),
    { url: target.url, model: target.model, likely, retryable: !blocked },
    cause,
  );
}

/** Returns why a page's request to `url` may have failed, most likely cause first; never empty. */
export function likelyCauses(
  url: URL,
  headerNames: readonly string[],
  where: Surroundings,
  { probed, reached }: Reachability = NOTHING_KNOWN,
): string[] {
  const { origin } = where;
  if (isMixedContent(url, origin)) {
    return [
      `mixed content: this page is https and ${url.origin} is not, which browsers block. Serve the model over https, or from localhost.`,
    ];
  }
  const cors =
    origin !== undefined && isForeign(url, where) && !reached
      ? [crossOriginCause(url, origin, headerNames)]
      : [];
  if (probed === 'answers')
    return cors.length > 0 ? cors : [`${url.host} closed the connection before it answered.`];
  const causes: string[] = [];
  const local = isLoopback(url.hostname);
  if (where.onLine === false && !local) causes.push('this device is offline.');
  const foreign = probed === 'unknown' ? cors : [];
  if (local) causes.push(`nothing listens at ${url.host}: is the server started, on this port?`, ...foreign);
  else causes.push(...foreign, `nothing answers at ${url.host}: is the name right, and the server up?`);
  if (origin !== undefined && (local || isPrivate(url.hostname)) && !isLocalPage(origin)) {
    causes.push(
      'the browser blocks this page from the local network: allow it when it asks, or in the site settings.',
    );
  }
  if (origin !== undefined) {
    causes.push(`the page's Content-Security-Policy does not list ${url.origin} under connect-src.`);
  }
  return causes;
}

function crossOriginCause(url: URL, origin: string, headerNames: readonly string[]): string {
  const cors = `CORS: the server does not allow pages of ${origin} to read it.`;
  switch (url.port) {
    case '11434':
      return `${cors} Start Ollama with OLLAMA_ORIGINS=${origin}.`;
    case '1234':
      return `${cors} Switch on "Enable CORS" in the server settings of LM Studio.`;
    case '8000':
      return `${cors} Start vLLM with --allowed-origins '["${origin}"]'.`;
    default:
      // llama.cpp's server needs no setting, because it permits every page
      return `${cors} It must send "Access-Control-Allow-Origin: ${origin}" and answer OPTIONS with "Access-Control-Allow-Headers: ${headerNames.join(', ')}".`;
  }
}

function isLocalPage(origin: string): boolean {
  return !isUrl(origin) || isLoopback(new URL(origin).hostname); // sandboxed pages have the origin "null"
}

function isMixedContent(url: URL, origin: string | undefined): boolean {
  return origin?.startsWith('https:') === true && url.protocol === 'http:' && !isLoopback(url.hostname);
}

function isForeign(url: URL, { origin }: Surroundings): boolean {
  return origin !== undefined && origin !== url.origin;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
