/** Digits of a number in the key of a row. */
const DIGITS = 10;

/** Returns a number as the key of a row, or the end of one; keys sort like their numbers. */
export function numberKey(number: number): string {
  return String(number).padStart(DIGITS, '0');
}

/** Returns the number of such a key; 0 for a key of another length. */
export function readNumberKey(key: string): number {
  return key.length === DIGITS ? Number(key) : 0;
}
