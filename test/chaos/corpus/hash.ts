import { createHash } from 'node:crypto';

/** A hash in place of values that are too large to be stored for comparison. */
export function hash(value: unknown): string {
  const content = value instanceof Uint8Array ? value : JSON.stringify(value);
  return createHash('sha256').update(content).digest('hex').slice(0, 12);
}
