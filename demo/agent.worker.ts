import { editor } from 'rolezero/tools';
import { openai } from 'rolezero/providers/openai';
import { RoleZero, RoleZeroError, serve, type ChatModel } from 'rolezero/worker';
import type { AgentConfig } from './agent-config.js';
import { tourModel } from './tour/index.js';

serve<AgentConfig>(
  (config) =>
    new RoleZero({
      name: 'Zero',
      goal: 'build what the person asks for',
      model: modelOf(config),
      tools: [...editor()],
    }),
);

function modelOf(config: AgentConfig): ChatModel {
  switch (config.kind) {
    case 'tour':
      return tourModel();
    case 'remote': {
      const { baseURL, model, apiKey, contextWindow } = config;
      // Somebody is watching: a server that is not there is better said soon than tried for long.
      return openai({ baseURL, model, contextWindow, retries: 2, ...(apiKey === '' ? {} : { apiKey }) });
    }
    case 'none':
      return {
        id: 'none',
        contextWindow: 8192,
        chat() {
          throw new RoleZeroError('model-load', 'No model is connected; choose one in the settings.');
        },
      };
  }
}
