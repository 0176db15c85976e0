import { createHash } from 'node:crypto';

/** Stands for what is too large to be stored beside what it is compared with. */
export function hash(value: unknown): string {
  const content = value instanceof Uint8Array ? value : JSON.stringify(value);
  return createHash('sha256').update(content).digest('hex').slice(0, 12);
}
