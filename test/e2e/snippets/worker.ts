/** The host of the model of such a worker. */
export const OPENAI = 'api.openai.com';

/** A worker whose role has one tool, or one source of tools. */
export const workerWith = (imports: string, tool: string): string => `
  ${imports}
  import { openai } from 'rolezero/providers/openai';
  import { RoleZero, serve } from 'rolezero/worker';
  const model = openai({ baseURL: 'https://${OPENAI}/v1', model: 'gpt-5-mini', apiKey: 'sk-snippets' });
  serve(() => new RoleZero({ model, tools: [${tool}] }));
`;
