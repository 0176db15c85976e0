import { openai } from 'rolezero/providers/openai';
import { RoleZeroError, type ChatChunk, type ChatModel, type PageSide } from 'rolezero/worker';
import type { GivenReply, ModelConfig } from './agent-config.js';
import { localModel } from './local-model.js';
import { pageSetsPace } from './tour/pace.js';
import { tourModel, tourOf } from './tour/index.js';

/** Creates the model of each role. Runs in the worker of a session. */
export async function modelOf(config: ModelConfig, page: PageSide): Promise<(role: string) => ChatModel> {
  switch (config.kind) {
    case 'tour': {
      const tour = tourOf(config.tour);
      if (config.page === null) return (role) => tourModel(tour, { role });
      const { session, dwell } = config.page;
      const pace = pageSetsPace(session);
      return (role) => tourModel(tour, { role, pace, dwell });
    }
    case 'remote': {
      const { kind: _, apiKey, ...options } = config;
      // A user is watching: report an unreachable server soon instead of retrying for long.
      const remote = openai({
        ...options,
        retries: 2,
        ...(apiKey === '' ? {} : { apiKey }),
      });
      return () => remote;
    }
    case 'web-llm':
    case 'wllama': {
      const local = await localModel(config);
      return () => local;
    }
    case 'page': {
      const own = page.model(config.name);
      return () => own;
    }
    case 'replay':
      return (role) => replayed(config.replies.filter((reply) => reply.role === role));
    case 'none':
      return () => ({
        id: 'none',
        contextWindow: 8192,
        chat() {
          throw new RoleZeroError('model-load', 'No model is connected; choose one in the settings.');
        },
      });
  }
}

/** Repeats recorded replies, each for the same kind of call; after the last one it waits for a stop. */
function replayed(replies: readonly GivenReply[]): ChatModel {
  const left = [...replies];
  return {
    id: 'replay',
    contextWindow: 1_000_000,
    async *chat({ purpose, signal }): AsyncGenerator<ChatChunk> {
      const at = left.findIndex((reply) => reply.purpose === purpose);
      const [next] = at < 0 ? [] : left.splice(at, 1);
      if (next === undefined) await stopped(signal);
      else yield { type: 'text-delta', text: next.text };
      yield { type: 'finish', reason: 'stop' };
    },
  };
}

function stopped(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
