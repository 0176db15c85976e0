import { RoleZeroError, toRoleZeroError } from '../base/error.js';
import { sentences } from '../base/sentences.js';
import type { ChatChunk, ChatModel, ChatRequest } from '../base/model.js';

/** Milliseconds a model that failed is passed over, unless its server asked for longer. */
const REST_MS = 60_000;

/**
 * Several models as one: each call goes to the first that works. One that fails by loss of its device, an outage, a rate limit or a spent
 * budget is passed over for a minute, or for as long as its server asked, and then preferred again; a spent budget stays spent. A
 * switch is told in a `progress` chunk with a `warning`, which a role passes on as an event of that name.
 *
 * A reply that breaks after some of it was shown is not continued by another model: the call throws with `detail.retryable` true, and
 * made again, as a role does by itself, it goes to the next model and begins anew.
 *
 * What the models share holds for all: the smallest window, and only what each of them supports. So prompts need not change when the
 * model does.
 *
 * @example failover(webLLM('Qwen3-1.7B-q4f16_1-MLC'), openai({ baseURL, model, apiKey }))
 * @throws RoleZeroError `invalid` without any model.
 */
export function failover(...models: readonly ChatModel[]): ChatModel {
  if (models.length === 0) throw new RoleZeroError('invalid', 'failover needs at least one model.');
  return new Failover(models);
}

class Failover implements ChatModel {
  readonly #models: readonly ChatModel[];
  readonly id: string;
  readonly contextWindow: number;
  readonly maxOutputTokens?: number;
  readonly supports: { jsonSchema: boolean; images: boolean; seed: boolean };
  readonly countTokens?: (text: string) => Promise<number>;
  /** When a model may be preferred again, in milliseconds since 1970. */
  readonly #restsUntil = new Map<ChatModel, number>();

  constructor(models: readonly ChatModel[]) {
    this.#models = models;

    this.id = models.map(({ id }) => id).join(', else ');
    this.contextWindow = Math.min(...models.map(({ contextWindow }) => contextWindow));
    const most = Math.min(...models.map(({ maxOutputTokens = Infinity }) => maxOutputTokens));
    if (most !== Infinity) this.maxOutputTokens = most;
    const all = (what: 'jsonSchema' | 'images' | 'seed') => models.every(({ supports }) => supports?.[what]);
    this.supports = { jsonSchema: all('jsonSchema'), images: all('images'), seed: all('seed') };
    const counts = models.flatMap((model) => (model.countTokens ? [model.countTokens.bind(model)] : []));
    if (counts.length === models.length)
      this.countTokens = async (text) =>
        Math.max(...(await Promise.all(counts.map(async (count) => count(text)))));
  }

  async *chat(request: ChatRequest): AsyncGenerator<ChatChunk, void> {
    const failures: { model: ChatModel; error: RoleZeroError }[] = [];
    const turns = this.#inTurn();
    for (const [index, model] of turns.entries()) {
      let shown = false;
      try {
        for await (const chunk of model.chat(request)) {
          shown ||= chunk.type === 'text-delta' || chunk.type === 'reasoning-delta';
          yield chunk;
        }
        return;
      } catch (caught) {
        const error = toRoleZeroError(caught);
        if (request.signal.aborted || !mayBeAnothers(error)) throw caught;
        this.#restsUntil.set(model, Date.now() + restOf(error));
        failures.push({ model, error });
        const next = turns[index + 1];
        if (next === undefined) throw allFailed(failures);
        const text = sentences(`${model.id} failed: ${error.message}`, `Continuing with ${next.id}.`);
        if (shown) throw new RoleZeroError(error.code, text, { ...error.detail, retryable: true }, error);
        yield { type: 'progress', loaded: index + 1, total: turns.length, text, warning: error.code };
      }
    }
  }

  /** Those that do not rest in the given order; then the others, for when there is nothing else: who rests least first. */
  #inTurn(): ChatModel[] {
    const now = Date.now();
    const rest = (model: ChatModel) => Math.max(0, (this.#restsUntil.get(model) ?? 0) - now);
    return this.#models.toSorted((a, b) => (rest(a) === rest(b) ? 0 : rest(a) - rest(b)));
  }
}

/** What another model may do better; the stop, wrong options and faults of the program it may not. */
function mayBeAnothers({ code }: RoleZeroError): boolean {
  return code.startsWith('model-') || code === 'budget' || code === 'context-overflow';
}

function restOf({ code, detail }: RoleZeroError): number {
  if (code === 'context-overflow') return 0; // the prompt was too long, not the model at fault
  if (code === 'budget') return Infinity;
  const { retryAfterMs } = detail;
  return typeof retryAfterMs === 'number' ? Math.max(REST_MS, retryAfterMs) : REST_MS;
}

/** The last error, with those before it; the only one as it is. */
function allFailed(failures: readonly { model: ChatModel; error: RoleZeroError }[]): RoleZeroError {
  const last = failures.at(-1)?.error ?? new RoleZeroError('internal', 'No model was asked.');
  if (failures.length === 1) return last;
  const failed = failures.map(({ model, error }) => ({
    model: model.id,
    code: error.code,
    message: error.message,
  }));
  const message = sentences(
    'No model answered',
    ...failed.map(({ model, message: why }) => `${model}: ${why}`),
  );
  return new RoleZeroError(last.code, message, { ...last.detail, failed }, last);
}
