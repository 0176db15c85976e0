import { openai } from 'rolezero/providers/openai';
import { RoleZeroError, serve, type ChatModel, type PageSide } from 'rolezero/worker';
import { tourConfig } from '../../../demo/agent-config.js';
import { rolesOf } from '../../../demo/agent-roles.js';
import type { ModelChoice } from '../arguments.js';
import { agent } from './agent.js';

serve<ModelChoice>((choice, page) =>
  choice.kind === 'tour' ? rolesOf(tourConfig(choice.tour), page) : agent(modelOf(choice, page)),
);

function modelOf(choice: Exclude<ModelChoice, { kind: 'tour' }>, page: PageSide): ChatModel {
  switch (choice.kind) {
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
