/** A database name no other test uses. */
export function freshName(): string {
  return `test-${crypto.randomUUID()}`;
}
