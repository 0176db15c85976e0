import { RoleZero, serve } from 'rolezero/worker';
import { openai } from 'rolezero/providers/openai';
import { mcp } from 'rolezero/tools/mcp';

serve(
  ({ baseURL, model, server }: { baseURL: string; model: string; server: string }) =>
    new RoleZero({
      goal: 'do what the user asks for',
      model: openai({ baseURL, model, contextWindow: 32_000 }),
      tools: [
        mcp({
          name: 'everything',
          url: server,
          tools: ['echo', 'get-*', 'trigger-long-running-operation'], // default: all tools of the server
          reads: ['echo', 'get-*'], // what you know to change nothing: needs fewer approvals, and runs again after a crash
        }),
      ],
    }),
);
