import { checkModel } from '../../core/check-model.js';
import { RoleZeroError, throwIfStopped } from '../../core/error.js';
import type { ChatChunk, ChatModel, ChatRequest } from '../../core/model.js';
import { unlessStopped } from '../../core/on-abort.js';
import { sameModel } from '../same-model.js';

interface QueuedOptions {
  /**
   * Maximum number of simultaneous calls. The default suits a local server with one slot.
   * @default 1
   */
  atOnce?: number;
  /**
   * Maximum number of calls that may start within a minute.
   * @default Infinity
   */
  perMinute?: number;
}

const MINUTE_MS = 60_000;

/**
 * Wraps a model with a queue for its calls. Use it for roles that share a server with few slots or a limit of calls per minute. Calls are
 * served in order of arrival; an aborted call leaves the queue. Waiting emits `progress` chunks, which a role forwards as `model-progress`.
 *
 * @example const model = queued(openai({ baseURL: openaiBaseURLs.llamaCpp, model: 'local' }));
 * @throws RoleZeroError `invalid` for a value that is not a model, and for limits below 1.
 */
export function queued(
  model: ChatModel,
  { atOnce = 1, perMinute = Infinity }: QueuedOptions = {},
): ChatModel {
  checkModel(model, 'model');
  if (!(atOnce >= 1 && perMinute >= 1))
    throw new RoleZeroError('invalid', 'atOnce and perMinute must be 1 or more.', { atOnce, perMinute });
  const { id } = model;
  const queue = new ModelQueue(atOnce);
  let begun: number[] = [];
  return {
    ...sameModel(model),
    async *chat(request: ChatRequest): AsyncGenerator<ChatChunk, void> {
      const { signal } = request;
      throwIfStopped(signal);
      const place = queue.enter();
      try {
        if (!place.isGiven) {
          yield waitingChunk(`Waiting for ${id}: ${place.ahead} before this call.`);
          await unlessStopped(place.given, signal);
        }
        for (;;) {
          const now = Date.now();
          begun = begun.filter((at) => now - at < MINUTE_MS);
          if (begun.length < perMinute) break;
          const rest = MINUTE_MS - (now - (begun[0] ?? now));
          yield waitingChunk(`Waiting ${Math.ceil(rest / 1000)} s: ${id} takes ${perMinute} calls a minute.`);
          await delay(rest, signal);
        }
        begun.push(Date.now());
        yield* model.chat(request);
      } finally {
        queue.leave(place);
      }
    },
  };
}

/** Entry of a call: waiting or running. */
interface QueuedCall {
  isGiven: boolean;
  /** Number of calls before it when it entered. */
  ahead: number;
  given: Promise<void>;
  give: () => void;
}

/** First-in, first-out queue that runs up to `places` calls at the same time. */
class ModelQueue {
  readonly #places: number;
  #atWork = 0;
  readonly #line: QueuedCall[] = [];

  constructor(places: number) {
    this.#places = places;
  }

  enter(): QueuedCall {
    let give = (): void => {};
    const given = new Promise<void>((resolve) => (give = resolve));
    const place: QueuedCall = { isGiven: false, ahead: this.#atWork + this.#line.length, given, give };
    this.#line.push(place);
    this.#fill();
    return place;
  }

  /** Removes a waiting or running call. The next call takes its place immediately, so that no new call can overtake it. */
  leave(place: QueuedCall): void {
    if (place.isGiven) this.#atWork -= 1;
    else this.#line.splice(this.#line.indexOf(place), 1);
    this.#fill();
  }

  #fill(): void {
    while (this.#atWork < this.#places) {
      const next = this.#line.shift();
      if (next === undefined) return;
      this.#atWork += 1;
      next.isGiven = true;
      next.give();
    }
  }
}

function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout>;
  const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)));
  return unlessStopped(over, signal).finally(() => clearTimeout(timer));
}

function waitingChunk(text: string): ChatChunk {
  return { type: 'progress', phase: 'waiting', loaded: 0, total: 0, text };
}
