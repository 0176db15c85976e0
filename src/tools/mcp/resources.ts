import { jsonInput } from '../json-input.js';
import type { JsonSchema } from '../../core/json.js';
import type { Tool, ToolContext } from '../../core/tool.js';
import type { Client } from '@modelcontextprotocol/client';
import type { Connection, Offer } from './connection.js';
import { readParts, withoutMiddle } from './content.js';
import type { McpSettings } from './options.js';
import { vouched } from '../foreign-tools.js';
import { report } from './tools.js';

const NOTHING: JsonSchema = { type: 'object', properties: {} };

/** Returns the commands that read resources and prompts, as far as the server has them. */
export function readingTools(offer: Offer, connection: Connection, settings: McpSettings): Tool[] {
  return [
    ...(offer.hasResources ? resourceTools(connection, settings) : []),
    ...(offer.hasPrompts ? promptTools(connection, settings) : []),
  ];
}

function resourceTools(connection: Connection, settings: McpSettings): Tool[] {
  const tool = readingTool(connection, settings);
  const { name } = settings;
  return [
    tool('list_resources', `Lists the resources of ${name}.`, NOTHING, (client, _, options) =>
      listResources(client, options),
    ),
    tool(
      'read_resource',
      `Reads a resource of ${name} by its URI.`,
      { type: 'object', properties: { uri: { type: 'string' } }, required: ['uri'] },
      async (client, { uri }, options, context) => {
        const { contents } = await client.readResource({ uri: String(uri) }, options);
        const content = contents.map((resource) => ({ type: 'resource' as const, resource }));
        return readParts({ content }, settings, context);
      },
    ),
  ];
}

function promptTools(connection: Connection, settings: McpSettings): Tool[] {
  const tool = readingTool(connection, settings);
  const { name } = settings;
  return [
    tool(
      'list_prompts',
      `Lists the prompts of ${name}, with their arguments.`,
      NOTHING,
      (client, _, options) => listPrompts(client, options),
    ),
    tool(
      'get_prompt',
      `Returns a prompt of ${name} with its arguments filled in.`,
      {
        type: 'object',
        properties: { name: { type: 'string' }, arguments: { type: 'object' } },
        required: ['name'],
      },
      async (client, { name: prompt, arguments: given = {} }, options, context) => {
        const args = given as Record<string, string>;
        const { messages } = await client.getPrompt({ name: String(prompt), arguments: args }, options);
        return readParts({ content: messages.map(({ content }) => content) }, settings, context);
      },
    ),
  ];
}

type Read = (
  client: Client,
  input: Record<string, unknown>,
  options: object,
  context: ToolContext,
) => Promise<string>;

function readingTool(connection: Connection, settings: McpSettings) {
  return (method: string, description: string, schema: JsonSchema, read: Read): Tool<never> => {
    const name = `${settings.name}.${method}`;
    return {
      name,
      description,
      input: jsonInput(schema) as never,
      effect: 'egress-read',
      replay: 'idempotent',
      ...vouched(settings),
      timeoutMs: settings.limits.callMs,
      async run(input: Record<string, unknown>, context: ToolContext): Promise<string> {
        report(context, settings);
        const request = { signal: context.signal, isRepeatable: true };
        const text = await connection.request(name, request, (client, options) =>
          read(client, input, options, context),
        );
        return withoutMiddle(text, settings.limits.result);
      },
    };
  };
}

async function listResources(client: Client, options: object): Promise<string> {
  const { resources } = await client.listResources(undefined, options);
  const { resourceTemplates } = await client.listResourceTemplates(undefined, options);
  return [
    ...resources.map(({ uri, name, description = '' }) => `${uri} ${name} ${description}`.trim()),
    ...resourceTemplates.map(({ uriTemplate, name, description = '' }) =>
      `${uriTemplate} ${name} ${description}`.trim(),
    ),
  ].join('\n');
}

async function listPrompts(client: Client, options: object): Promise<string> {
  const { prompts } = await client.listPrompts(undefined, options);
  return prompts
    .map(({ name, description = '', arguments: args = [] }) => {
      const names = args.map((each) => `${each.name}${each.required === true ? '' : '?'}`);
      return `${name}(${names.join(', ')}) ${description}`.trim();
    })
    .join('\n');
}
