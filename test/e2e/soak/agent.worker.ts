import { editor } from 'rolezero/tools';
import { openai } from 'rolezero/providers/openai';
import { RoleZero, serve } from 'rolezero/worker';

serve<{ baseURL: string }>(
  ({ baseURL }) =>
    new RoleZero({ model: openai({ baseURL, model: 'main-job', contextWindow: 8_192 }), tools: editor() }),
);

// An endless loop, like a bad regular expression.
addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  while (data === 'hang');
});
