import type { Client, Prompt } from '@modelcontextprotocol/client';
import { describe, RoleZeroError } from '../../core/error.js';
import type { JsonSchema, JsonValue } from '../../core/json.js';
import type { SourcedTools, ToolSource } from '../../core/tool-source.js';
import type { Tool, ToolContext } from '../../core/tool.js';
import { leftOutNotice, vouched } from '../foreign-tools.js';
import { jsonInput } from '../json-input.js';
import { McpConnection, type Offer } from './connection.js';
import { readMcpOptions, type McpOptions, type McpSettings } from './options.js';
import { SIGN_IN_PART, type SignInRequest } from './sign-in-protocol.js';
import { mcpTool, readParts, reportServer, serverSource, withoutMiddle } from './tools.js';

/** Milliseconds that a user has for a sign-in. */
const SIGN_IN_MS = 600_000;

/** Milliseconds until a server that is away is tried again; doubled each time. */
const RECONNECT_PAUSE_MS = 2_000;
const MAX_PAUSE = 60_000;

const NO_ARGUMENTS: JsonSchema = { type: 'object', properties: {} };

/** Keys of the state with what the server has listed. The model composes every other name. */
const RESOURCES = 'listedResources';
const PROMPTS_KEY = 'listedPrompts';
/** Maximum number of listed names that are stored, and characters of each. */
const MAX_LISTED_NAMES = 500;
const MAX_RESOURCE_NAME = 500;

/** The tools of an MCP server, for the `tools` of roles. */
interface McpServer extends ToolSource {
  /** Ends the connection. The next use connects again. */
  close(): Promise<void>;
}

/**
 * Offers the tools, resources and prompts of an MCP server (Streamable HTTP, protocol versions up to 2026-07-28) to roles, as commands
 * `<name>.<tool>`. Connects before the first step, follows changes of the list of tools, and connects again when the server was away; the
 * model receives a notice meanwhile.
 *
 * Nothing that the server says is trusted. Each tool counts as changing something at the server, whatever its annotations say: the user is
 * asked as for any effect that leaves the session. Results and descriptions are untrusted content. An approval covers a tool only as it was
 * described when the user approved it. After a crash, a call runs again only if the application names the tool in `reads` or `repeatable`.
 *
 * @example new RoleZero({ model, tools: [editor(), mcp({ name: 'docs', url: 'https://docs.example/mcp', reads: ['search_*'] })] })
 * @throws RoleZeroError `invalid` naming the option that cannot be used.
 */
export function mcp(options: McpOptions): McpServer {
  const settings = readMcpOptions(options);
  const connection = new McpConnection(settings);
  const untrusted = settings.trust === 'nothing' ? serverSource(settings) : null;
  const tools = toolList(connection, settings);
  let failures = 0;
  let retryAt = 0;
  let notice: string | null = null;
  return {
    group: settings.name,
    async current({ signal }): Promise<SourcedTools> {
      if (Date.now() >= retryAt) {
        try {
          notice = offerNotice(await abortable(connection.refresh(), signal), settings);
          failures = 0;
        } catch (error) {
          signal.throwIfAborted();
          notice = `${describe(error)} ${connection.needsSignIn ? `Use ${settings.name}.sign_in first.` : 'It is tried again.'}`;
          if (!connection.needsSignIn)
            retryAt = Date.now() + Math.min(MAX_PAUSE, RECONNECT_PAUSE_MS * 2 ** failures++);
        }
      }
      // Before the sign-in, only a tool of this library is offered.
      const isOwn = connection.needsSignIn;
      return { tools: tools(), untrusted: isOwn ? null : untrusted, notice };
    },
    close: () => connection.close(),
  };
}

/** Describes which tools are missing; null when none are. */
function offerNotice({ leftOut, unmatched }: Offer, { name, limits }: McpSettings): string | null {
  const server = `the MCP server ${name}`;
  const patterns = unmatched.map((pattern) => JSON.stringify(pattern)).join(', ');
  const notices = [
    leftOutNotice(leftOut, server, limits),
    patterns === ''
      ? null
      : `No tool of ${server} matches ${patterns} (\`tools\` of mcp()). Compare them with the names of its tools.`,
  ].filter((each) => each !== null);
  return notices.length === 0 ? null : notices.join(' ');
}

/** Returns a function for the tools of the last offer. Their list stays the same as long as the offer does. */
function toolList(connection: McpConnection, settings: McpSettings): () => readonly Tool[] {
  const signIn = settings.signIn === null ? [] : [signInTool(connection, settings)];
  let key = '';
  let list: readonly Tool[] = signIn;
  return () => {
    const { offer } = connection;
    if (connection.needsSignIn) return signIn;
    if (offer === null) return list;
    const now = JSON.stringify([
      offer.definitions.map(({ name, hash }) => [name, hash]),
      offer.hasResources,
      offer.hasPrompts,
    ]);
    if (now !== key) {
      const own = readingTools(offer, connection, settings);
      list = [...signIn, ...own, ...offer.definitions.map((each) => mcpTool(each, connection, settings))];
      key = now;
    }
    return list;
  };
}

/** Returns the command with which the user signs in. */
function signInTool(connection: McpConnection, { name, url }: McpSettings): Tool {
  return {
    name: `${name}.sign_in`,
    description: `Asks the user to sign in to ${name}, which offers its other commands afterwards.`,
    activity: { verb: `Asking you to sign in to ${name}` },
    input: jsonInput(NO_ARGUMENTS),
    effect: 'ui',
    replay: 'unsafe',
    onAmbiguous: 'retry',
    reaches: () => url.href,
    trusted: true,
    timeoutMs: SIGN_IN_MS,
    async run(_input, context) {
      const pending = connection.provider?.pending() ?? null;
      if (pending === null) return 'The user has signed in.';
      await askPage(context, { server: name, ...pending });
      if (!(await connection.finishSignIn()))
        throw new RoleZeroError('permission', 'The sign-in has returned nothing.', { server: name });
      return 'The user has signed in.';
    },
  };
}

/** Asks the page to sign the user in. @throws RoleZeroError `not-found` when no page can do that. */
async function askPage(context: ToolContext, request: SignInRequest): Promise<void> {
  if (context.callPage === undefined)
    throw new RoleZeroError('not-found', 'There is no page on which the user could sign in.');
  try {
    await context.callPage(SIGN_IN_PART, request);
  } catch (error) {
    if (!(error instanceof RoleZeroError) || error.code !== 'not-found') throw error;
    const message = 'The page cannot sign the user in: give mcpSignIn() to connect({ tools }).';
    throw new RoleZeroError('not-found', message, {}, error);
  }
}

function abortable<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Returns the commands that read resources and prompts, as far as the server has them. */
function readingTools(offer: Offer, connection: McpConnection, settings: McpSettings): Tool[] {
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
