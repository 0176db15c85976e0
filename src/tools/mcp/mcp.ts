import { describe, RoleZeroError } from '../../core/error.js';
import { jsonInput } from '../json-input.js';
import type { SourcedTools, ToolSource } from '../../core/tool-source.js';
import type { Tool, ToolContext } from '../../core/tool.js';
import { McpConnection, type Offer } from './connection.js';
import { readMcpOptions, type McpOptions, type McpSettings } from './options.js';
import { readingTools } from './resources.js';
import { SIGN_IN_PART, type SignInRequest } from './sign-in-protocol.js';
import { leftOutNotice } from '../foreign-tools.js';
import { serverSource, mcpTool } from './tools.js';

/** Milliseconds that a user has for a sign-in. */
const SIGN_IN_MS = 600_000;

/** Milliseconds until a server that is away is tried again; doubled each time. */
const RECONNECT_PAUSE_MS = 2_000;
const MAX_PAUSE = 60_000;

/** The tools of an MCP server, for the `tools` of roles. */
export interface McpServer extends ToolSource {
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
    input: jsonInput({ type: 'object', properties: {} }),
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
