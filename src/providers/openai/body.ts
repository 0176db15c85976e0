import type { Patience } from './patience.js';

/** How long the next bytes are waited for: one of the silences that end a call, or milliseconds after which reading just stops. */
export type Wait = 'firstByteMs' | 'idleMs' | number;

/** The bytes of a response as they arrive. Leaving the loop closes the connection. */
export async function* bytesOf(
  response: Response,
  patience: Patience,
  wait: () => Wait,
): AsyncGenerator<Uint8Array, void> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  try {
    for (;;) {
      const limit = wait();
      const read = reader.read();
      const next = await (typeof limit === 'number'
        ? patience.atMost(read, limit)
        : patience.within(read, limit));
      if (next === undefined || next.done) return;
      yield next.value;
    }
  } finally {
    reader.cancel().catch(() => undefined); // what broke the stream was thrown already
  }
}

/** Some bytes are no UTF-8. */
export class InvalidUtf8 extends Error {
  override readonly name = 'InvalidUtf8';
}

/** Bytes to text, across any split. A platform decoder that is not strict turns garbage into `\uFFFD` and says nothing. */
export class Utf8Reader {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });

  /** The text of the next bytes; of what is left, without. Throws `InvalidUtf8`. */
  read(bytes?: Uint8Array): string {
    try {
      return this.#decoder.decode(bytes, { stream: bytes !== undefined });
    } catch (error) {
      throw new InvalidUtf8('These bytes are no UTF-8.', { cause: error });
    }
  }
}

/** The whole body as text, or null when it has more bytes than allowed. Throws `InvalidUtf8`. */
export async function textOf(
  response: Response,
  patience: Patience,
  mostBytes: number,
): Promise<string | null> {
  const utf8 = new Utf8Reader();
  const texts: string[] = [];
  let length = 0;
  for await (const bytes of bytesOf(response, patience, () => 'idleMs')) {
    length += bytes.length;
    if (length > mostBytes) return null;
    texts.push(utf8.read(bytes));
  }
  texts.push(utf8.read());
  return texts.join('');
}
