import { RoleZeroError } from '../../../core/error.js';
import { parseUrl } from './addresses.js';

/**
 * Returns the Content-Security-Policy of a page. A page may load only its inlined resources and the origins that the application allows.
 * `frame-src 'none'` on the wrapper prevents the page from navigating away with data in the URL.
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
    "webrtc 'block'", // browsers that do not know it ignore it, and Chromium logs that
  ].join('; ');
}

/**
 * Validates origins for use in a policy. Any other text could change the meaning of the policy.
 *
 * @throws RoleZeroError `invalid` if an entry is not an origin.
 */
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
