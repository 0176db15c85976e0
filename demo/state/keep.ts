/** Stores a value. Without space for it, it lasts until a reload, which is not worth an error. */
export function keep(storage: Storage, key: string, value: string): void {
  try {
    storage.setItem(key, value);
  } catch {
    // It applies on this page all the same.
  }
}
