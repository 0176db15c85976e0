import { keyVault } from 'rolezero/keys';
import { openai } from 'rolezero/providers/openai';
import { mcp } from 'rolezero/tools/mcp';
import { RoleZero, serve } from 'rolezero/worker';
import type { Config } from './main.js';

serve(
  ({ baseURL, model, server }: Config) =>
    new RoleZero({
      model: openai({ baseURL, model, contextWindow: 32_000 }),
      tools: [mcp({ name: 'secured', url: server, signIn: { vault: keyVault(), redirectUrl: '/' } })],
    }),
);
