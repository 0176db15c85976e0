import type { Remote } from 'comlink';
import { defined } from '../core/defined.js';
import { RoleZeroError, throwIfStopped } from '../core/error.js';
import type { ChatChunk, ChatModel, ChatRequest } from '../core/model.js';
import { newId } from '../core/new-id.js';
import type { ModelDescriptor, PageApi } from '../wire/protocol.js';
import { unwrap } from '../wire/results.js';

/** The parts of a page that the roles of its worker can use, besides the config. */
export interface PageSide {
  /**
   * Returns a model that runs on the page: `connect(worker, { models: { chrome: chrome() } })`. The page calls it. Its replies, token
   * counts and errors are sent to the worker, and a stop aborts its call.
   *
   * @throws RoleZeroError `not-found` when the page gave no model of that name.
   */
  model(name: string): ChatModel;
}

/** Returns the page side of a session that was opened with these models. */
export function pageSide(models: Readonly<Record<string, ModelDescriptor>>, page: Remote<PageApi>): PageSide {
  return {
    model(name) {
      const descriptor = Object.hasOwn(models, name) ? models[name] : undefined;
      if (descriptor !== undefined) return pageModel(name, descriptor, page);
      const known = Object.keys(models).join(', ') || 'none';
      throw new RoleZeroError(
        'not-found',
        `The page gave no model ${JSON.stringify(name)} to connect({ models }). It gave: ${known}.`,
        { name },
      );
    },
  };
}

function pageModel(name: string, descriptor: ModelDescriptor, page: Remote<PageApi>): ChatModel {
  const { countsTokens, ...known } = descriptor;
  const supports = { ...known.supports };
  return {
    ...known,
    supports,
    ...defined({
      countTokens: countsTokens
        ? async (text: string) => unwrap(await page.countTokens(name, text))
        : undefined,
    }),
    async *chat({ signal, ...call }: ChatRequest): AsyncGenerator<ChatChunk, void> {
      throwIfStopped(signal);
      const callId = newId();
      const end = (): void => void page.endChat(callId);
      signal.addEventListener('abort', end, { once: true });
      try {
        unwrap(await page.beginChat(callId, name, call));
        for (;;) {
          const next = await page.nextChunk(callId);
          throwIfStopped(signal);
          const chunk = unwrap(next);
          if (chunk === null) return;
          yield chunk;
        }
      } catch (error) {
        if (error instanceof RoleZeroError && error.detail['rejected'] === 'tools')
          supports.toolCalls = false;
        throw error;
      } finally {
        signal.removeEventListener('abort', end);
        end();
      }
    },
  };
}
