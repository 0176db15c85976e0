import { keyVault } from 'rolezero/keys';
import { openai } from 'rolezero/providers/openai';
import { editor } from 'rolezero/tools';
import { terminal } from 'rolezero/tools/terminal';
import { RoleZero, serve } from 'rolezero/worker';

const vault = keyVault();

/** The agent runs in this worker. Its files are virtual: they belong to the session and are stored in the browser. */
export default serve(
  () =>
    new RoleZero({
      name: 'Zero',
      goal: 'build what the user asks for',
      model: openai({
        baseURL: '{baseURL}',
        model: '{model}', // `contextWindow` is needed for models that the library does not know
        apiKey: async () => (await vault.get('model')) ?? '',
      }),
      tools: [editor(), terminal()],
    }),
);
