/** Reads a reply that streams in: its chunks until an abort, its native calls, and the usage that the model reports. */
import { RoleZeroError } from '../../core/error.js';
import { onAbort } from '../../core/on-abort.js';
import type { CallChunk, ToolCall, ChatChunk, ChatModel } from '../../core/model.js';

/**
 * Passes each chunk of a stream to `take` until it returns false. Ends as soon as the signal aborts, even if the model ignores it. A stream
 * that is not read to its end is closed.
 */
export async function readStream<Item>(
  items: AsyncIterable<Item>,
  signal: AbortSignal,
  take: (item: Item) => boolean,
): Promise<void> {
  const iterator = items[Symbol.asyncIterator]();
  // Not awaited: a model that hangs must not delay the stop.
  const close = (): void => void Promise.resolve(iterator.return?.()).catch(() => {});
  let forget: () => void = () => {};
  const stopped = new Promise<never>((_, reject) => {
    forget = onAbort(signal, () => reject(new RoleZeroError('aborted', 'Stopped.', {}, signal.reason)));
  });
  const read = async (): Promise<void> => {
    for (;;) {
      const next = await iterator.next();
      if (next.done || signal.aborted) return;
      if (!take(next.value)) {
        close();
        return;
      }
    }
  };
  try {
    // One race for the whole stream, so that it does not hold on to the chunks.
    await Promise.race([stopped, read()]);
  } catch (error) {
    close();
    throw error;
  } finally {
    forget();
  }
}

const LIST_BEGIN = '\n\n```json\n[\n    ';
const LIST_END = '\n]\n```';

/**
 * The native calls of a reply that streams in, and the same as text: a fenced list of commands, which views read in either form. `nameOf`
 * returns the command that a name means.
 */
export class StreamedCalls {
  readonly #nameOf: (name: string) => string;
  /** Null until the first one: most replies have none. */
  #byIndex: Map<number, ToolCall> | null = null;
  /** Index of the call that the text is in. */
  #last = -1;

  constructor(nameOf: (name: string) => string) {
    this.#nameOf = nameOf;
  }

  /** Adds a piece, and returns the text that it adds. */
  push({ index, id, name, args }: CallChunk): string {
    const opening = this.#byIndex === null ? LIST_BEGIN : '},\n    ';
    this.#byIndex ??= new Map();
    const known = this.#byIndex.get(index);
    if (known !== undefined) {
      known.args += args;
      return index === this.#last ? args : '';
    }
    this.#byIndex.set(index, { id, name, args });
    this.#last = index;
    return `${opening}{"command_name": ${JSON.stringify(this.#nameOf(name))}, "args": ${args}`;
  }

  /** Returns the end of the text; empty without calls. */
  end(): string {
    return this.#byIndex === null ? '' : `}${LIST_END}`;
  }

  /** The calls so far, in their order. */
  get calls(): ToolCall[] {
    if (this.#byIndex === null) return [];
    return [...this.#byIndex].toSorted(([one], [other]) => one - other).map(([, call]) => call);
  }
}

export interface CallUsage {
  promptTokens: number;
  completionTokens: number;
  cachedPromptTokens: number;
  costUsd: number;
  /** The model has not reported all of its tokens. */
  estimated?: true;
}

/** Adds up the reports of one reply. */
export class ReportedUsage {
  readonly used: CallUsage = { promptTokens: 0, completionTokens: 0, cachedPromptTokens: 0, costUsd: 0 };
  #hasCost = false;

  add({ promptTokens, completionTokens, cachedPromptTokens = 0, costUsd }: UsageChunk): void {
    this.used.promptTokens += promptTokens;
    this.used.completionTokens += completionTokens;
    this.used.cachedPromptTokens += cachedPromptTokens;
    this.used.costUsd += costUsd ?? 0;
    this.#hasCost ||= costUsd !== undefined;
  }

  /** Returns the usage with estimates of the tokens that were not reported, and the cost by the price of the model if it was not. */
  counted({ price }: ChatModel, estimates: { promptTokens: number; completionTokens: number }): CallUsage {
    const { used } = this;
    const promptTokens = used.promptTokens || estimates.promptTokens;
    const completionTokens = used.completionTokens || estimates.completionTokens;
    const isEstimated = promptTokens !== used.promptTokens || completionTokens !== used.completionTokens;
    const costUsd =
      this.#hasCost || price === undefined
        ? used.costUsd
        : (promptTokens * price.promptPerMillion + completionTokens * price.completionPerMillion) / 1e6;
    const usage: CallUsage = {
      promptTokens,
      completionTokens,
      cachedPromptTokens: used.cachedPromptTokens,
      costUsd,
    };
    if (isEstimated) usage.estimated = true;
    return usage;
  }

  /** Returns whether the cost is known: it was reported, or the model has a price. */
  isPriced({ price }: ChatModel): boolean {
    return this.#hasCost || price !== undefined;
  }
}

type UsageChunk = Extract<ChatChunk, { type: 'usage' }>;
