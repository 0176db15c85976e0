import { checkModel } from '../core/check-model.js';
import { RoleZeroError } from '../core/error.js';
import type { ChatChunk, ChatModel } from '../core/model.js';
import type { ModelCall, ModelDescriptor } from '../wire/protocol.js';
import { defined } from '../core/defined.js';

/** The models of the page, with the calls that the worker makes to them. */
export class PageModels {
  readonly #chats = new Map<string, { chunks: AsyncIterator<ChatChunk>; stop: AbortController }>();

  readonly #models: Readonly<Record<string, ChatModel>>;

  constructor(models: Readonly<Record<string, ChatModel>>) {
    this.#models = models;
  }

  begin(callId: string, name: string, call: ModelCall): void {
    const stop = new AbortController();
    const chunks = this.#model(name)
      .chat({ ...call, signal: stop.signal })
      [Symbol.asyncIterator]();
    this.#chats.set(callId, { chunks, stop });
  }

  /** Returns the next chunk; null after the last one, and when the call was ended. */
  async next(callId: string): Promise<ChatChunk | null> {
    const chat = this.#chats.get(callId);
    if (chat === undefined) return null;
    const next = await chat.chunks.next();
    return next.done === true ? null : next.value;
  }

  end(callId: string): void {
    const chat = this.#chats.get(callId);
    this.#chats.delete(callId);
    chat?.stop.abort();
    chat?.chunks.return?.().catch(() => undefined); // the caller is gone, so no one can receive the error
  }

  endAll(): void {
    for (const callId of this.#chats.keys()) this.end(callId);
  }

  async countTokens(name: string, text: string): Promise<number> {
    return (await this.#model(name).countTokens?.(text)) ?? 0;
  }

  #model(name: string): ChatModel {
    const model = Object.hasOwn(this.#models, name) ? this.#models[name] : undefined;
    if (model === undefined) throw new RoleZeroError('not-found', `The page has no model ${name}.`, { name });
    return model;
  }
}

/** Returns what the worker needs to know about models before it calls them. */
export function describeModels(models: Readonly<Record<string, ChatModel>>): Record<string, ModelDescriptor> {
  return Object.fromEntries(
    Object.entries(models).map(([name, model]) => {
      checkModel(model, `models.${name}`);
      const { id, contextWindow, maxOutputTokens, parameters, supports, price } = model;
      const descriptor: ModelDescriptor = {
        id,
        contextWindow,
        ...defined({
          maxOutputTokens,
          parameters,
          supports: supports && { ...supports },
          price: price && { ...price },
        }),
        countsTokens: model.countTokens !== undefined,
      };
      return [name, descriptor];
    }),
  );
}
