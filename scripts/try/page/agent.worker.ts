import { openai, readLimits } from 'rolezero/providers/openai';
import { RoleZeroError, serve, type ChatModel, type PageSide } from 'rolezero/worker';
import { rolesOf } from '../../../demo/agent-roles.js';
import { tourConfig } from '../../../demo/tour-config.js';
import type { ModelChoice } from '../arguments.js';
import { agent } from './agent.js';
import type { ReplyFormat, Setup, WorkerConfig } from './bridge.js';

serve<WorkerConfig>(async ({ model: choice, setup }, page) =>
  choice.kind === 'tour'
    ? rolesOf(tourConfig(choice.tour), page)
    : agent(await modelOf(choice, page, setup), setup),
);

/** Options for each form of replies. */
const FORMS: Record<ReplyFormat, { jsonSchema?: boolean; toolCalls: boolean | 'required' }> = {
  text: { jsonSchema: false, toolCalls: false },
  schema: { jsonSchema: true, toolCalls: false },
  tools: { toolCalls: true },
  'tools-required': { toolCalls: 'required' },
};

async function modelOf(
  choice: Exclude<ModelChoice, { kind: 'tour' }>,
  page: PageSide,
  setup: Setup | null,
): Promise<ChatModel> {
  switch (choice.kind) {
    case 'chrome':
      return page.model('chrome');
    case 'remote': {
      const { baseURL, model, apiKey, contextWindow } = choice;
      const format = setup === null ? 'text' : setup.replyFormat;
      const options = { baseURL, model, apiKey, ...(format === null ? {} : FORMS[format]) };
      if (contextWindow === undefined) return openai(await readLimits(options).catch(explainOption));
      const known = { ...options, contextWindow };
      return openai(format === null ? await readLimits(known) : known);
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
