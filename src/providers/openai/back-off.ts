/** No wait is longer than this, whatever a server asks for. */
export const LONGEST_WAIT_MS = 60_000;

const FIRST_WAIT_MS = 500;

/**
 * Milliseconds to wait before repeating a request that failed `failures` times: what the server asked for, at most a minute; else
 * "full jitter", chosen evenly below 0.5 s, 1 s, 2 s, 4 s …, so that many clients do not come back at the same instant.
 */
export function backOff(failures: number, random: () => number, retryAfterMs: number | null): number {
  if (retryAfterMs !== null) return Math.min(retryAfterMs, LONGEST_WAIT_MS);
  return random() * Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);
}

/**
 * Milliseconds that a response asks to wait, or null when it does not say. `Retry-After` holds seconds or an HTTP date; some servers send
 * the finer `retry-after-ms` too. A page sees either only if the server lists it in `Access-Control-Expose-Headers`.
 */
export function retryAfter(headers: Headers, now: number): number | null {
  const milliseconds = number(headers.get('retry-after-ms'));
  if (milliseconds !== null) return milliseconds;
  const value = headers.get('retry-after');
  const seconds = number(value);
  if (seconds !== null) return seconds * 1000;
  const date = value?.endsWith('GMT') === true ? Date.parse(value) : NaN; // Date.parse takes "-3" for a date
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function number(text: string | null): number | null {
  return text !== null && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : null;
}
