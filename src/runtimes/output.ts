/** Maximum bytes that a program may print. */
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** What a program prints. */
export class Output {
  readonly #parts: { stream: 'stdout' | 'stderr'; bytes: Uint8Array }[] = [];
  #length = 0;

  /** @returns false when there is too much output; the program must end then. */
  print(stream: 'stdout' | 'stderr', content: string | Uint8Array): boolean {
    if (this.isFull) return false;
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content.slice();
    this.#length += bytes.length;
    this.#parts.push({ stream, bytes });
    return !this.isFull;
  }

  get isFull(): boolean {
    return this.#length > MAX_OUTPUT_BYTES;
  }

  stdout(): Uint8Array {
    return this.#joined('stdout');
  }

  /** Says so if the program was ended for its output. */
  stderr(name: string): string {
    const text = new TextDecoder().decode(this.#joined('stderr'));
    return this.isFull
      ? `${text}\n${name}: stopped after more than ${MAX_OUTPUT_BYTES} bytes of output.\n`
      : text;
  }

  #joined(stream: 'stdout' | 'stderr'): Uint8Array {
    const parts = this.#parts.filter((part) => part.stream === stream);
    const whole = new Uint8Array(parts.reduce((sum, { bytes }) => sum + bytes.length, 0));
    let at = 0;
    for (const { bytes } of parts) {
      whole.set(bytes, at);
      at += bytes.length;
    }
    return whole;
  }
}
