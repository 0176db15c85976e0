/** Returns a random id. Works on plain `http://` pages too, where `crypto.randomUUID` is missing. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(16)).join('-');
}
