import type { CallChunk, ToolCall } from '../../core/model.js';

const BEGIN = '\n\n```json\n[\n    ';
const END = '\n]\n```';

/**
 * The native calls of a reply that streams in, and the same as text: a fenced list of commands, which views read in either form. `nameOf`
 * returns the command that a name means.
 */
export class StreamedCalls {
  readonly #nameOf: (name: string) => string;
  readonly #calls = new Map<number, { id: string; name: string; args: string }>();
  /** Index of the call that the text is in. */
  #last = -1;

  constructor(nameOf: (name: string) => string) {
    this.#nameOf = nameOf;
  }

  /** Adds a piece, and returns the text that it adds. */
  push({ index, id, name, args }: CallChunk): string {
    const known = this.#calls.get(index);
    if (known !== undefined) {
      known.args += args;
      return index === this.#last ? args : '';
    }
    const opening = this.#calls.size === 0 ? BEGIN : '},\n    ';
    this.#calls.set(index, { id, name, args });
    this.#last = index;
    return `${opening}{"command_name": ${JSON.stringify(this.#nameOf(name))}, "args": ${args}`;
  }

  /** Returns the end of the text; empty without calls. */
  end(): string {
    return this.#calls.size === 0 ? '' : `}${END}`;
  }

  /** The calls so far, in their order. */
  get calls(): ToolCall[] {
    return [...this.#calls].toSorted(([one], [other]) => one - other).map(([, call]) => call);
  }
}
