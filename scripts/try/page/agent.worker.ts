import { openai } from 'rolezero/providers/openai';
import { editor } from 'rolezero/tools';
import { RoleZero, serve, type ChatModel } from 'rolezero/worker';
import { tourModel } from '../../../demo/tour/index.js';
import type { ModelChoice } from '../arguments.js';

serve<ModelChoice>(
  (choice) =>
    new RoleZero({
      name: 'Zero',
      goal: 'build what the person asks for',
      model: modelOf(choice),
      tools: editor(),
    }),
);

function modelOf(choice: ModelChoice): ChatModel {
  if (choice.kind === 'tour') return tourModel();
  const { baseURL, model, apiKey, contextWindow } = choice;
  return openai({ baseURL, model, apiKey, ...(contextWindow === undefined ? {} : { contextWindow }) });
}
