import { openai } from 'rolezero/providers/openai';
import { editor } from 'rolezero/tools';
import { terminal } from 'rolezero/tools/terminal';
import { RoleZero, serve } from 'rolezero/worker';

/** The agent runs in this worker. Its files are virtual: they belong to the session and are stored in the browser. */
export default serve(
  () =>
    new RoleZero({
      name: 'Zero',
      goal: 'build what the user asks for',
      // The window is what your server really reads; Ollama cuts longer prompts to its own setting.
      model: openai({ baseURL: '{baseURL}', model: '{model}', contextWindow: 16_384 }),
      tools: [editor(), terminal()],
    }),
);
