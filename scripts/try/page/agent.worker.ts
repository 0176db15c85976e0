import { openai, readLimits } from 'rolezero/providers/openai';
import { RoleZeroError, serve, type ChatModel, type PageSide } from 'rolezero/worker';
import { rolesOf } from '../../../demo/agent-roles.js';
import { tourConfig } from '../../../demo/tour-config.js';
import type { ModelChoice } from '../arguments.js';
import { agent } from './agent.js';
import type { WorkerConfig } from './bridge.js';

serve<WorkerConfig>(async ({ model: choice, setup }, page) =>
  choice.kind === 'tour' ? rolesOf(tourConfig(choice.tour), page) : agent(await modelOf(choice, page), setup),
);

async function modelOf(choice: Exclude<ModelChoice, { kind: 'tour' }>, page: PageSide): Promise<ChatModel> {
  switch (choice.kind) {
    case 'chrome':
      return page.model('chrome');
    case 'remote': {
      const { baseURL, model, apiKey, contextWindow } = choice;
      if (contextWindow !== undefined) return openai({ baseURL, model, apiKey, contextWindow });
      return openai(await readLimits({ baseURL, model, apiKey }).catch(explainOption));
    }
    default:
      throw new RoleZeroError('invalid', `${choice.kind} has its own worker.`);
  }
}

/** Names the option of the command line instead of the library's. */
function explainOption(error: unknown): never {
  if (error instanceof RoleZeroError && error.detail['option'] === 'contextWindow')
    throw new RoleZeroError(
      'invalid',
      'The server does not report its context window. Pass --context-window N, such as 32768.',
    );
  throw error;
}
