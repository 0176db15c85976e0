import { RoleZeroError } from '../../base/error.js';
import { isUrl } from '../../base/is-url.js';

/** Base URLs of well-known services, and of servers at the port they take by default on this machine. */
export const openaiBaseURLs = {
  openai: 'https://api.openai.com/v1',
  openRouter: 'https://openrouter.ai/api/v1',
  ollama: 'http://localhost:11434/v1',
  lmStudio: 'http://localhost:1234/v1',
  llamaCpp: 'http://localhost:8080/v1',
  vllm: 'http://localhost:8000/v1',
} as const;

/**
 * The address of chat completions below a base URL. Nothing is guessed: a missing `/v1` stays missing and shows as a 404 that says so.
 * @throws RoleZeroError `invalid` for what is no http(s) URL or carries a password, which an error could give away.
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

/** A URL as errors may show it: without its query, where some services want their key. */
export function shownUrl(url: URL): string {
  return url.origin + url.pathname;
}
