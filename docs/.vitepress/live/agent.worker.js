import { RoleZero, serve } from 'rolezero/worker';
import { openai } from 'rolezero/providers/openai';
import { editor } from 'rolezero/tools';
import { recordedModel } from './recorded-model.js';

export default serve(
  ({ example, endpoint }) =>
    new RoleZero({
      model: endpoint === null ? recordedModel(example) : openai(endpoint),
      tools: [editor()],
    }),
);
