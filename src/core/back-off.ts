/** In ms. Maximum wait, even if a server asks for more. */
export const LONGEST_WAIT_MS = 60_000;

const FIRST_WAIT_MS = 500;
/** A limit of requests or tokens per minute needs longer waits than a server that is briefly busy. */
const FIRST_WAIT_OF_LIMIT_MS = 4_000;

/**
 * Returns the milliseconds to wait before the next attempt after `failures` failures: the time that the server asked for, at most a minute.
 * Without such a time, uses "full jitter": a uniform random time below 0.5 s, 1 s, 2 s, 4 s …, or below 4 s, 8 s, 16 s … after a rate limit.
 * This prevents simultaneous retries of many clients.
 */
export function backOff(
  failures: number,
  random: () => number,
  retryAfterMs: number | null,
  isRateLimit = false,
): number {
  if (retryAfterMs !== null) return Math.min(retryAfterMs, LONGEST_WAIT_MS);
  const first = isRateLimit ? FIRST_WAIT_OF_LIMIT_MS : FIRST_WAIT_MS;
  return random() * Math.min(first * 2 ** (failures - 1), LONGEST_WAIT_MS);
}

/**
 * Returns the milliseconds that a response asks to wait, or null. `Retry-After` contains seconds or an HTTP date; some servers also send
 * the more precise `retry-after-ms`. A page can read them only if the server lists them in `Access-Control-Expose-Headers`.
 */
export function retryAfter(headers: Headers, now: number): number | null {
  const milliseconds = parseNumber(headers.get('retry-after-ms'));
  if (milliseconds !== null) return milliseconds;
  const value = headers.get('retry-after');
  const seconds = parseNumber(value);
  if (seconds !== null) return seconds * 1000;
  const date = value?.endsWith('GMT') === true ? Date.parse(value) : NaN; // Date.parse would accept "-3" as a date
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function parseNumber(text: string | null): number | null {
  return text !== null && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : null;
}
