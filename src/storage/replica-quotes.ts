import { QUOTING, restoreQuotes, type Quote, type StoredWrite } from './texts.js';

/** Minimum length of a quoted content, in UTF-16 units. */
const MIN_LENGTH = 1_000;

/**
 * Returns the writes of a commit as the replica stores them: contents of files quote the texts that contain them. `find` returns a quote
 * of a text that the replica has.
 */
export function quoteContents(
  writes: readonly StoredWrite[],
  find: (text: string) => Omit<Quote, 'path'> | null,
): StoredWrite[] {
  return writes.map((write) => {
    const { table, key, value } = write;
    if (table !== 'contents' || typeof value !== 'string' || value.length < MIN_LENGTH) return write;
    const text = find(value);
    return text === null ? write : { table, key, value: '', quotes: [{ path: [], ...text }] };
  });
}

/** Puts back what a content quotes. `stored` returns the write of a record at this place of the replay. @throws Error when it is missing. */
export function unquoted(
  write: StoredWrite,
  stored: (place: string) => StoredWrite | undefined,
): StoredWrite {
  if (write.quotes === undefined || QUOTING.has(write.table)) return write;
  const { quotes: _quotes, ...rest } = write;
  return { ...rest, value: restoreQuotes(write, { get: (key) => stored(`texts/${key}`)?.value }) };
}
