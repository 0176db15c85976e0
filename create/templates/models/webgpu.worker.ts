import { webLLM } from 'rolezero/providers/web-llm';
import { editor } from 'rolezero/tools';
import { RoleZero, serve } from 'rolezero/worker';

/** The agent and its model run in this worker: nothing leaves the machine. A small model works best with few tools. */
export default serve(
  () =>
    new RoleZero({
      name: 'Zero',
      goal: 'build what the user asks for',
      model: webLLM('{model}'), // `chooseModel` of rolezero/providers/web-llm/choose selects one that fits the GPU
      tools: [editor()],
    }),
);
