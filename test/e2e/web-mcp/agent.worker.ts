import { RoleZero, serve } from 'rolezero/worker';
import { openai } from 'rolezero/providers/openai';
import { webMcp } from 'rolezero/tools/web-mcp';

serve(
  ({ baseURL }: { baseURL: string }) =>
    new RoleZero({
      goal: 'do what the user asks for',
      model: openai({ baseURL, model: 'scripted', contextWindow: 32_000 }),
      tools: [webMcp()], // reads: ['search_*'] for tools that you know to change nothing
    }),
);
