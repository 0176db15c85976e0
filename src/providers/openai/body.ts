import type { Patience } from './patience.js';

/** Time to wait for the next bytes: the name of a time limit that fails the call, or milliseconds after which reading just stops. */
export type Wait = 'firstByteMs' | 'idleMs' | number;

/** Yields the bytes of a response as they arrive. Leaving the loop closes the connection. */
export async function* streamBytes(
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
    reader.cancel().catch(() => undefined); // the original error is already thrown
  }
}

/** Thrown for bytes that are not valid UTF-8. */
export class InvalidUtf8 extends Error {
  override readonly name = 'InvalidUtf8';
}

/** Decodes bytes that may be split anywhere. Strict, because a decoder that is not strict silently replaces invalid bytes with `\uFFFD`. */
export class Utf8Reader {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });

  /** Decodes the next bytes; without `bytes`, the remaining ones. Throws `InvalidUtf8`. */
  read(bytes?: Uint8Array): string {
    try {
      return this.#decoder.decode(bytes, { stream: bytes !== undefined });
    } catch (error) {
      throw new InvalidUtf8('These bytes are no UTF-8.', { cause: error });
    }
  }
}

/** Returns the whole body as text, or null when it exceeds `maxBytes`. Throws `InvalidUtf8`. */
export async function readBody(
  response: Response,
  patience: Patience,
  maxBytes: number,
): Promise<string | null> {
  const utf8 = new Utf8Reader();
  const texts: string[] = [];
  let length = 0;
  for await (const bytes of streamBytes(response, patience, () => 'idleMs')) {
    length += bytes.length;
    if (length > maxBytes) return null;
    texts.push(utf8.read(bytes));
  }
  texts.push(utf8.read());
  return texts.join('');
}
