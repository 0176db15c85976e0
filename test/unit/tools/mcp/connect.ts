import { afterEach } from 'vitest';
import { RoleZero } from '../../../../src/agent/role-zero.js';
import type { RoleZeroOptions } from '../../../../src/agent/runtime/role-zero-options.js';
import { commands, scriptedModel } from '../../../../src/testing/index.js';
import { mcp } from '../../../../src/tools/mcp/index.js';
import type { McpOptions } from '../../../../src/tools/mcp/options.js';
import { startMcpServer, type McpServerOptions, type TestMcpServer } from '../../../mcp-server/mcp-server.js';

export type McpServer = ReturnType<typeof mcp>;

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

/** Starts a server that is closed after the test. */
export async function start(options: McpServerOptions): Promise<TestMcpServer> {
  const server = await startMcpServer(options);
  open.push(server);
  return server;
}

/** Connects to a server until the end of the test. */
export function connect(server: Pick<TestMcpServer, 'url'>, options: Partial<McpOptions> = {}): McpServer {
  const source = mcp({ name: 'test', url: server.url, ...options });
  open.push(source);
  return source;
}

/** The names of the server's own tools. */
export async function namesOf(source: McpServer): Promise<string[]> {
  const { tools } = await source.current({ signal: new AbortController().signal });
  const own = ['list_resources', 'read_resource', 'list_prompts', 'get_prompt'];
  return tools.map(({ name }) => name).filter((name) => !own.includes(name.slice(source.group.length + 1)));
}

/** A role that runs these commands, one reply each. */
export function roleWith(
  source: McpServer,
  think: readonly (readonly [string, Record<string, unknown>])[],
  options: RoleZeroOptions = {},
): RoleZero {
  const replies = think.map((command) => commands(command as never));
  const end = commands(['RoleZero.reply_to_human', { content: 'done' }], ['end', {}]);
  return new RoleZero({
    model: scriptedModel({ think: [...replies, end] }),
    tools: [source],
    language: 'English',
    summarize: false,
    ...options,
  });
}

/** A user who allows everything. */
export const YES = { answers: Array<string>(20).fill('yes') };

/** The observations of a run. */
export function outputs({ memory }: { memory: { content: string }[] }): string[] {
  return memory.map(({ content }) => content).filter((content) => content.startsWith('Command '));
}
