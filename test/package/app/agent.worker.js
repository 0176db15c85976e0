import { openai } from 'rolezero/providers/openai';
import { editor } from 'rolezero/tools';
import { terminal } from 'rolezero/tools/terminal';
import { lint } from 'rolezero/tools/lint';
import { RoleZero, serve } from 'rolezero/worker';

serve(
  ({ baseURL }) =>
    new RoleZero({
      name: 'Zero',
      model: openai({ baseURL, model: 'scripted', contextWindow: 8192 }),
      tools: [...editor({ linters: lint() }), ...terminal()],
    }),
);
