import { RoleZeroError } from '../../base/error.js';
import type { Target } from './errors.js';

/** What can be known about the place a request was made from; all missing outside of a browser. */
export interface Surroundings {
  /** Of the page, or of the page behind a worker. */
  origin?: string;
  /** False when the browser knows that there is no network. */
  onLine?: boolean;
}

/** Where this code runs. */
export function surroundings(): Surroundings {
  const { location, navigator } = globalThis as {
    location?: { origin: string };
    navigator?: { onLine?: boolean };
  };
  return {
    ...(location === undefined ? {} : { origin: location.origin }),
    ...(navigator?.onLine === undefined ? {} : { onLine: navigator.onLine }),
  };
}

/** No response at all. The browser tells nobody why, so the error lists what fits the facts, likeliest first. */
export function unreachable(
  target: Target,
  headerNames: readonly string[],
  where: Surroundings,
  cause: unknown,
): RoleZeroError {
  const url = new URL(target.url);
  const likely = likelyCauses(url, headerNames, where);
  const blocked = isMixedContent(url, where.origin);
  const more = likely.length > 1 ? ` Or: ${likely.slice(1).join(' Or: ')}` : '';
  return new RoleZeroError(
    'model-unreachable',
    `Could not reach ${url.host}. Likely: ${likely[0] ?? ''}${more}`,
    { url: target.url, model: target.model, likely, retryable: !blocked },
    cause,
  );
}

/** Why a page's request to `url` may have come to nothing, likeliest first; never empty. */
export function likelyCauses(url: URL, headerNames: readonly string[], where: Surroundings): string[] {
  const { origin } = where;
  if (isMixedContent(url, origin)) {
    return [
      `mixed content: this page is https and ${url.origin} is not, which browsers block. Serve the model over https, or from localhost.`,
    ];
  }
  const causes: string[] = [];
  const local = isLoopback(url.hostname);
  if (where.onLine === false && !local) causes.push('this device is offline.');
  if (origin !== undefined && origin !== url.origin) causes.push(crossOriginCause(url, origin, headerNames));
  causes.push(
    local
      ? `nobody listens at ${url.host}: is the server started, on this port?`
      : `nobody answers at ${url.host}: is the name right, and the server up?`,
  );
  if (origin !== undefined && (local || isPrivate(url.hostname)) && !isLocalPage(origin)) {
    causes.push(
      'the browser keeps this page from the local network: allow it when it asks, or in the site settings.',
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
      // llama.cpp's server needs no setting: it allows every page
      return `${cors} It must send "Access-Control-Allow-Origin: ${origin}" and answer OPTIONS with "Access-Control-Allow-Headers: ${headerNames.join(', ')}".`;
  }
}

function isLocalPage(origin: string): boolean {
  return !URL.canParse(origin) || isLoopback(new URL(origin).hostname); // sandboxed pages have the origin "null"
}

function isMixedContent(url: URL, origin: string | undefined): boolean {
  return origin?.startsWith('https:') === true && url.protocol === 'http:' && !isLoopback(url.hostname);
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

function isPrivate(hostname: string): boolean {
  return /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|\[f[cd])|\.local$/.test(hostname);
}
