import { editor } from 'rolezero/tools';
import { openai } from 'rolezero/providers/openai';
import { RoleZero, RoleZeroError, serve } from 'rolezero/worker';
import type { ChatModel } from '../src/base/model.js';
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
      return openai({ baseURL, model, contextWindow, ...(apiKey === '' ? {} : { apiKey }) });
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
