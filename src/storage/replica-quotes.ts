import { isRecord } from '../core/json.js';
import { QUOTING, restoreQuotes, type Quote, type StoredWrite } from './texts.js';

/** A write as the replica stores it. Contents that the replica has already are quoted: file contents of texts, earlier contents of files. */
export interface ReplicaWrite extends StoredWrite {
  /** The value is the content of the file with this path, as the writes before leave it, which has this length. */
  of?: [path: string, length: number];
}

type Find = (text: string) => Omit<Quote, 'path'> | null;

/** Minimum length of a quoted content, in UTF-16 units. */
const MIN_LENGTH = 1_000;

/** The contents of the files in the replica, as far as this writer has written them. */
export class ReplicaContents {
  readonly #byPath = new Map<string, string>();

  /** Returns the writes with quotes, in the same order: each may quote what those before it write. */
  quote(writes: readonly StoredWrite[], find: Find): ReplicaWrite[] {
    return writes.map((write) => {
      const { table, key, value } = write;
      if (table === 'contents')
        for (const [path, content] of this.#byPath)
          if (content === value) return { table, key, value: null, of: [path, content.length] };
      const content = this.take(write);
      const text = content === null ? null : find(content);
      if (text === null) return write;
      return {
        table,
        key,
        value: { ...(value as object), content: '' },
        quotes: [{ path: ['content'], ...text }],
      };
    });
  }

  /** Remembers what the replica has after this write. Returns the content of a file that can be quoted. */
  take(write: StoredWrite): string | null {
    const content = contentOf(write);
    if (content !== null) this.#byPath.set(write.key, content);
    else if (write.table === 'files') this.#byPath.delete(write.key);
    return content;
  }

  /** Forgets everything: the replica may lack some of it. */
  clear(): void {
    this.#byPath.clear();
  }
}

function contentOf({ table, value }: StoredWrite): string | null {
  const content = table === 'files' && isRecord(value) ? value['content'] : null;
  return typeof content === 'string' && content.length >= MIN_LENGTH ? content : null;
}

/** Puts back what a write quotes. `stored` returns the write of a record at this place of the replay. @throws Error when that is missing. */
export function unquoted(
  { of, ...write }: ReplicaWrite,
  stored: (place: string) => StoredWrite | undefined,
): StoredWrite {
  if (of !== undefined) {
    const content = contentOf(stored(`files/${of[0]}`) ?? write);
    if (content?.length !== of[1]) throw new Error('not the quoted content');
    return { ...write, value: content };
  }
  const { quotes, ...rest } = write;
  if (quotes === undefined || QUOTING.has(write.table)) return write;
  return { ...rest, value: restoreQuotes(write, { get: (key) => stored(`texts/${key}`)?.value }) };
}
