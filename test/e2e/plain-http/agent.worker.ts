import { openai } from 'rolezero/providers/openai';
import { editor } from 'rolezero/tools';
import { browser } from 'rolezero/tools/browser';
import { terminal } from 'rolezero/tools/terminal';
import { RoleZero, serve } from 'rolezero/worker';

serve<{ baseURL: string }>(
  ({ baseURL }) =>
    new RoleZero({
      model: openai({ baseURL, model: 'plain-http', contextWindow: 8_192 }),
      tools: [...editor(), ...terminal(), ...browser()],
    }),
);
