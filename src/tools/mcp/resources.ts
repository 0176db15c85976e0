import { jsonInput } from '../json-input.js';
import type { JsonSchema, JsonValue } from '../../core/json.js';
import type { Tool, ToolContext } from '../../core/tool.js';
import type { Client, Prompt } from '@modelcontextprotocol/client';
import type { McpConnection, Offer } from './connection.js';
import { readParts, withoutMiddle } from './content.js';
import type { McpSettings } from './options.js';
import { vouched } from '../foreign-tools.js';
import { reportServer, serverSource } from './tools.js';

const NO_ARGUMENTS: JsonSchema = { type: 'object', properties: {} };

/** Returns the commands that read resources and prompts, as far as the server has them. */
export function readingTools(offer: Offer, connection: McpConnection, settings: McpSettings): Tool[] {
  return [
    ...(offer.hasResources ? resourceTools(connection, settings) : []),
    ...(offer.hasPrompts ? promptTools(connection, settings) : []),
  ];
}

function resourceTools(connection: McpConnection, settings: McpSettings): Tool[] {
  const tool = readingTool(connection, settings);
  const { name } = settings;
  return [
    tool({
      method: 'list_resources',
      description: `Lists the resources of ${name}.`,
      schema: NO_ARGUMENTS,
      read: async (client, _, options, { state }) => {
        const { resources } = await client.listResources(undefined, options);
        const { resourceTemplates } = await client.listResourceTemplates(undefined, options);
        state[RESOURCES] = sortedNames(resources.map(({ uri }) => uri));
        return [
          ...resources.map(({ uri, name: title, description = '' }) =>
            `${uri} ${title} ${description}`.trim(),
          ),
          ...resourceTemplates.map(({ uriTemplate, name: title, description = '' }) =>
            `${uriTemplate} ${title} ${description}`.trim(),
          ),
        ].join('\n');
      },
    }),
    tool({
      method: 'read_resource',
      description: `Reads a resource of ${name} by its URI.`,
      schema: { type: 'object', properties: { uri: { type: 'string' } }, required: ['uri'] },
      isComposed: ({ uri }, state) => !wasListed(state, RESOURCES, uri),
      read: async (client, { uri }, options, context) => {
        const { contents } = await client.readResource({ uri: String(uri) }, options);
        const content = contents.map((resource) => ({ type: 'resource' as const, resource }));
        return readParts({ content }, settings, context);
      },
    }),
  ];
}

function promptTools(connection: McpConnection, settings: McpSettings): Tool[] {
  const tool = readingTool(connection, settings);
  const { name } = settings;
  return [
    tool({
      method: 'list_prompts',
      description: `Lists the prompts of ${name}, with their arguments.`,
      schema: NO_ARGUMENTS,
      read: async (client, _, options, { state }) => {
        const { prompts } = await client.listPrompts(undefined, options);
        state[PROMPTS_KEY] = sortedNames(prompts.map((prompt) => prompt.name));
        return prompts.map(describePrompt).join('\n');
      },
    }),
    tool({
      method: 'get_prompt',
      description: `Returns a prompt of ${name} with its arguments filled in.`,
      schema: {
        type: 'object',
        properties: { name: { type: 'string' }, arguments: { type: 'object' } },
        required: ['name'],
      },
      isComposed: ({ name: prompt, arguments: given = {} }, state) =>
        !wasListed(state, PROMPTS_KEY, prompt) || Object.keys(given as object).length > 0,
      read: async (client, { name: prompt, arguments: given = {} }, options, context) => {
        const args = given as Record<string, string>;
        const { messages } = await client.getPrompt({ name: String(prompt), arguments: args }, options);
        return readParts({ content: messages.map(({ content }) => content) }, settings, context);
      },
    }),
  ];
}

/** Keys of the state with what the server has listed. The model composes every other name. */
const RESOURCES = 'listedResources';
const PROMPTS_KEY = 'listedPrompts';
/** Maximum number of listed names that are stored, and characters of each. */
const MAX_LISTED_NAMES = 500;
const MAX_RESOURCE_NAME = 500;

function sortedNames(names: readonly string[]): string[] {
  return names.filter((name) => name.length <= MAX_RESOURCE_NAME).slice(0, MAX_LISTED_NAMES);
}

function wasListed(state: Record<string, JsonValue>, key: string, name: unknown): boolean {
  const names = state[key];
  return Array.isArray(names) && names.some((each) => each === name);
}

/** A command that reads from the server. */
interface ReadingTool {
  method: string;
  description: string;
  schema: JsonSchema;
  isComposed?: (input: Record<string, unknown>, state: Record<string, JsonValue>) => boolean;
  read: (
    client: Client,
    input: Record<string, unknown>,
    options: object,
    context: ToolContext,
  ) => Promise<string>;
}

function readingTool(connection: McpConnection, settings: McpSettings) {
  return ({ method, description, schema, isComposed = () => false, read }: ReadingTool): Tool<never> => {
    const name = `${settings.name}.${method}`;
    return {
      name,
      description,
      input: jsonInput(schema) as never,
      effect: 'egress-read',
      replay: 'idempotent',
      target: () => `the ${serverSource(settings)}`,
      isComposed,
      ...vouched(settings),
      service: settings.url.href,
      timeoutMs: settings.limits.callMs,
      async run(input: Record<string, unknown>, context: ToolContext): Promise<string> {
        reportServer(context, settings);
        const request = { signal: context.signal, isRepeatable: true };
        const text = await connection.request(name, request, (client, options) =>
          read(client, input, options, context),
        );
        return withoutMiddle(text, settings.limits.result);
      },
    };
  };
}

function describePrompt({ name, description = '', arguments: args = [] }: Prompt): string {
  const names = args.map((each) => `${each.name}${each.required === true ? '' : '?'}`);
  return `${name}(${names.join(', ')}) ${description}`.trim();
}
