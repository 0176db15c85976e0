import { RoleZeroError } from '../../core/error.js';
import { isUrl } from '../../core/is-url.js';

/** Base URLs of common services, and of local servers on their default ports. `docs/models.md` says what each needs. */
export const openaiBaseURLs = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  google: 'https://generativelanguage.googleapis.com/v1beta/openai',
  mistral: 'https://api.mistral.ai/v1',
  deepSeek: 'https://api.deepseek.com/v1',
  xai: 'https://api.x.ai/v1',
  openRouter: 'https://openrouter.ai/api/v1',
  groq: 'https://api.groq.com/openai/v1',
  ollama: 'http://localhost:11434/v1',
  lmStudio: 'http://localhost:1234/v1',
  llamaCpp: 'http://localhost:8080/v1',
  vllm: 'http://localhost:8000/v1',
} as const;

/**
 * Returns the chat completions URL for a base URL. Adds no missing `/v1`; the resulting 404 error mentions it.
 * @throws RoleZeroError `invalid` unless it is an http(s) URL, or if it contains a user name or password, which errors could reveal.
 */
export function chatCompletionsUrl(baseURL: string): URL {
  if (!isUrl(baseURL)) {
    throw new RoleZeroError(
      'invalid',
      `baseURL is not a complete URL; try one like ${openaiBaseURLs.openai}.`,
    );
  }
  const url = new URL(baseURL);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new RoleZeroError('invalid', `baseURL must begin with https:// or http://, not ${url.protocol}//.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new RoleZeroError(
      'invalid',
      'baseURL must not hold a user name or password; use apiKey or headers.',
    );
  }
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith('/chat/completions') ? path : `${path}/chat/completions`;
  url.hash = '';
  return url;
}

/** Returns a URL without its query for use in errors, because some services expect a key in the query. */
export function shownUrl(url: URL): string {
  return url.origin + url.pathname;
}

/** Returns true for this machine and private networks. */
export function isLocal(hostname: string): boolean {
  return isLoopback(hostname) || isPrivate(hostname);
}

/** Returns true for names and addresses of this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Returns true for addresses of a private network. */
export function isPrivate(hostname: string): boolean {
  return /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|\[f[cd])|\.local$/.test(hostname);
}
