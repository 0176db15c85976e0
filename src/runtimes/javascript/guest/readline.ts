import { EventEmitter } from 'events/';

interface Input {
  [Symbol.asyncIterator](): AsyncIterator<unknown>;
}

/** Lines of an input. Questions are answered by its lines. */
class Interface extends EventEmitter {
  readonly #lines: Promise<string[]>;
  readonly #output: { write(text: string): void } | undefined;
  #next = 0;
  #isClosed = false;

  constructor({ input, output }: { input: Input; output?: { write(text: string): void } }) {
    super();
    this.#output = output;
    this.#lines = inputLines(input);
    setTimeout(() => void this.#emitLines(), 0);
  }

  async #emitLines(): Promise<void> {
    const lines = await this.#lines;
    while (this.#next < lines.length && !this.#isClosed && this.listenerCount('line') > 0)
      this.emit('line', lines[this.#next++]);
    if (this.listenerCount('line') > 0) this.close();
  }

  question(text: string, ...others: unknown[]): void {
    this.#output?.write(text);
    const answer = others.at(-1) as (line: string) => void;
    void this.#lines.then((lines) => answer(lines[this.#next++] ?? ''));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    const lines = await this.#lines;
    while (this.#next < lines.length) yield lines[this.#next++] ?? '';
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.emit('close');
  }

  setPrompt(): void {}
  prompt(): void {}
  pause(): this {
    return this;
  }
  resume(): this {
    return this;
  }
}

async function inputLines(input: Input): Promise<string[]> {
  let text = '';
  for await (const part of { [Symbol.asyncIterator]: () => input[Symbol.asyncIterator]() })
    text += String(part);
  const lines = text.split(/\r?\n/u);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

class PromiseInterface {
  readonly #lines: Interface;

  constructor(options: Options) {
    this.#lines = new Interface(options);
  }

  question(text: string): Promise<string> {
    return new Promise((resolve) => this.#lines.question(text, resolve));
  }

  on(event: string, listener: (...args: unknown[]) => void): this {
    this.#lines.on(event, listener);
    return this;
  }

  close(): void {
    this.#lines.close();
  }

  [Symbol.asyncIterator](): AsyncGenerator<string> {
    return this.#lines[Symbol.asyncIterator]();
  }
}

type Options = ConstructorParameters<typeof Interface>[0];

export const readlinePromises = {
  createInterface: (options: Options) => new PromiseInterface(options),
  Interface: PromiseInterface,
};
export const readline = {
  createInterface: (options: Options) => new Interface(options),
  Interface,
  promises: readlinePromises,
};
