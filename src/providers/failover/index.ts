import { checkModel } from '../../core/check-model.js';
import { RoleZeroError, toRoleZeroError, sentences } from '../../core/error.js';
import { isContent, type ChatChunk, type ChatModel, type ChatRequest } from '../../core/model.js';

/** In ms. A failed model is skipped for this long, or longer if its server asks for it. */
const REST_MS = 60_000;

/**
 * Combines several models into one. Each call goes to the first available model.
 *
 * After a device loss, an outage, a rate limit, or a spent budget, a model is skipped for a minute. It is skipped for longer if its server
 * asks for that, and permanently if its budget is spent. Each switch emits a `progress` chunk with a `warning`, which a role forwards as an
 * event of that name.
 *
 * If a reply fails after part of it was emitted, no other model continues it. The call throws with `detail.retryable` true; a retry, which
 * roles make automatically, goes to the next model and starts over.
 *
 * The combination has the smallest context window and only the features that all models support, so prompts are valid for each of them.
 *
 * @example failover(webLLM('Qwen3-1.7B-q4f16_1-MLC'), openai({ baseURL, model, apiKey }))
 * @throws RoleZeroError `invalid` without any model, and for a value that is not a model.
 */
export function failover(...models: readonly ChatModel[]): ChatModel {
  if (models.length === 0) throw new RoleZeroError('invalid', 'failover needs at least one model.');
  const [first] = models;
  if (Array.isArray(first))
    throw new RoleZeroError(
      'invalid',
      'failover() takes models as arguments, but was given a list. Spread it: failover(...models).',
    );
  for (const [index, model] of models.entries()) checkModel(model, `models[${index}]`);
  return new Failover(models);
}

class Failover implements ChatModel {
  readonly #models: readonly ChatModel[];
  readonly id: string;
  readonly contextWindow: number;
  readonly maxOutputTokens?: number;
  readonly parameters?: number;
  readonly supports: {
    readonly jsonSchema: boolean;
    readonly toolCalls: boolean;
    images: boolean;
    seed: boolean;
    parallel: boolean;
  };
  readonly countTokens?: (text: string) => Promise<number>;
  /** Of the first model. */
  readonly prepare?: NonNullable<ChatModel['prepare']>;
  /** Time at which each failed model is available again, in milliseconds since 1970. */
  readonly #restsUntil = new Map<ChatModel, number>();

  constructor(models: readonly ChatModel[]) {
    this.#models = models;

    this.id = models.map(({ id }) => id).join(', else ');
    this.contextWindow = Math.min(...models.map(({ contextWindow }) => contextWindow));
    const most = Math.min(...models.map(({ maxOutputTokens = Infinity }) => maxOutputTokens));
    if (most !== Infinity) this.maxOutputTokens = most;
    const sizes = models.flatMap(({ parameters }) => parameters ?? []);
    if (sizes.length > 0) this.parameters = Math.min(...sizes);
    const all = (what: 'jsonSchema' | 'toolCalls' | 'images' | 'seed' | 'parallel') =>
      models.every(({ supports }) => supports?.[what]);
    this.supports = {
      get jsonSchema() {
        return all('jsonSchema'); // a model may find out with a request that its server has none
      },
      get toolCalls() {
        return all('toolCalls');
      },
      images: all('images'),
      seed: all('seed'),
      parallel: all('parallel'),
    };
    const counts = models.flatMap((model) => (model.countTokens ? [model.countTokens.bind(model)] : []));
    const [first] = models;
    if (first?.prepare) this.prepare = first.prepare.bind(first);
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
          shown ||= isContent(chunk);
          yield chunk;
        }
        return;
      } catch (caught) {
        const error = toRoleZeroError(caught);
        if (request.signal.aborted || !mayBeAnothers(error)) throw caught;
        this.#restsUntil.set(model, Date.now() + restMs(error));
        failures.push({ model, error });
        const next = turns[index + 1];
        if (next === undefined) throw allFailed(failures);
        const text = sentences(`${model.id} failed: ${error.message}`, `Continuing with ${next.id}.`);
        if (shown) throw new RoleZeroError(error.code, text, { ...error.detail, retryable: true }, error);
        yield {
          type: 'progress',
          phase: 'waiting',
          loaded: index + 1,
          total: turns.length,
          text,
          warning: error.code,
        };
      }
    }
  }

  /** Returns the available models in the given order, followed by the skipped ones, shortest remaining time first. */
  #inTurn(): ChatModel[] {
    const now = Date.now();
    const rest = (model: ChatModel) => Math.max(0, (this.#restsUntil.get(model) ?? 0) - now);
    return this.#models.toSorted((a, b) => (rest(a) === rest(b) ? 0 : rest(a) - rest(b)));
  }
}

/** Returns true for errors that another model may avoid, unlike an abort, invalid options, or a program error. */
function mayBeAnothers({ code }: RoleZeroError): boolean {
  return code.startsWith('model-') || code === 'budget' || code === 'context-overflow';
}

function restMs({ code, detail }: RoleZeroError): number {
  if (code === 'context-overflow') return 0; // the prompt was too long; the model did not fail
  if (code === 'budget') return Infinity;
  const { retryAfterMs } = detail;
  return typeof retryAfterMs === 'number' ? Math.max(REST_MS, retryAfterMs) : REST_MS;
}

/** Returns the last error with the earlier ones as details. Returns a single error unchanged. */
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
