import { editor } from 'rolezero/tools';
import { openai } from 'rolezero/providers/openai';
import { RoleZero, serve } from 'rolezero/worker';

serve<{ baseURL: string }>(
  ({ baseURL }) =>
    new RoleZero({ model: openai({ baseURL, model: 'main-job', contextWindow: 8_192 }), tools: editor() }),
);

// A loop that never ends, as a bad regular expression would be.
addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  while (data === 'hang');
});
