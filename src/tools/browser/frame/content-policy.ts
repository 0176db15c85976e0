import { RoleZeroError } from '../../../base/error.js';
import { parseUrl } from './addresses.js';

/**
 * What a page may load: nothing but what it carries along, and what is at the origins the application allows. `frame-src 'none'` on the
 * wrapper around a page is what keeps it from leaving for elsewhere with data in the address.
 */
export function contentPolicy(network: readonly string[]): string {
  const from = (...own: string[]): string => [...own, ...network].join(' ');
  return [
    "default-src 'none'",
    `script-src ${from("'unsafe-inline'", "'unsafe-eval'", "'wasm-unsafe-eval'", 'data:', 'blob:')}`,
    `style-src ${from("'unsafe-inline'", 'data:', 'blob:')}`,
    `img-src ${from('data:', 'blob:')}`,
    `font-src ${from('data:', 'blob:')}`,
    `media-src ${from('data:', 'blob:')}`,
    `connect-src ${from('data:', 'blob:')}`,
    'worker-src data: blob:',
    "form-action 'none'",
  ].join('; ');
}

/** Origins as they may stand in a policy; anything else could change what the policy says. */
export function readOrigins(origins: readonly string[]): string[] {
  return origins.map((text) => {
    const url = parseUrl(text);
    if (url === null || !/^(https?|wss?):$/.test(url.protocol) || !/^[\w.:[\]-]+$/.test(url.host))
      throw new RoleZeroError(
        'invalid',
        `frame({ network }) takes origins such as https://api.example, not "${text}".`,
      );
    return `${url.protocol}//${url.host}`;
  });
}
