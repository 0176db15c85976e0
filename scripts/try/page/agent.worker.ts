import { openai } from 'rolezero/providers/openai';
import { RoleZeroError, serve, type ChatModel, type PageSide } from 'rolezero/worker';
import { tourModel } from '../../../demo/tour/index.js';
import type { ModelChoice } from '../arguments.js';
import { agent } from './agent.js';

serve<ModelChoice>((choice, page) => agent(modelOf(choice, page)));

function modelOf(choice: ModelChoice, page: PageSide): ChatModel {
  switch (choice.kind) {
    case 'tour':
      return tourModel();
    case 'chrome':
      return page.model('chrome');
    case 'remote': {
      const { baseURL, model, apiKey, contextWindow } = choice;
      return openai({ baseURL, model, apiKey, ...(contextWindow === undefined ? {} : { contextWindow }) });
    }
    default:
      throw new RoleZeroError('invalid', `${choice.kind} has a worker of its own.`);
  }
}
