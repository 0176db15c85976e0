import { RoleZeroError } from '../../../core/error.js';
import type { RunResult } from '../../../core/events.js';
import type { SendOptions } from '../../../core/message.js';
import { newId } from '../../../core/new-id.js';
import type { PageTool, ReadableFiles } from '../../../core/page-tool.js';
import { modelContext } from './model-context.js';

/** Who sends requests through WebMCP, as an untrusted source. */
const BROWSER_AGENT = "the browser's agent (WebMCP)";

const ASK =
  'Gives a task to the agent of this page. Returns its answer. The user is asked before it does anything outside of its files, and before an answer contains private data.';

/** The session whose abilities are registered, as `connect` returns it. */
interface AskedSession {
  readonly name: string;
  readonly files: ReadableFiles;
  send(text: string, options: SendOptions): { result(): Promise<Pick<RunResult, 'status' | 'summary'>> };
}

/** What is registered. */
interface WebMcpAbilities {
  /** Name and description of the tool that gives a task to the agent; false for none. @default `ask_agent` */
  ask?: { name: string; description: string } | false;
  /** Tools of the page that are registered too, made by `pageTool()`. @default none */
  tools?: readonly PageTool[];
  /** Removes everything that was registered. */
  signal?: AbortSignal;
}

/**
 * Registers abilities of a session with the browser (WebMCP), so that the browser's agent can use them: giving it a task, and tools of the
 * page. The browser's agent may have read anything: its tasks are untrusted content, so the user is asked as after reading a page.
 *
 * @returns False when the browser has no WebMCP.
 * @example await registerWebMcp(session, { tools: [addToCart] })
 * @throws what the browser throws, such as for a name that is taken.
 */
export async function registerWebMcp(
  session: AskedSession,
  { ask = { name: 'ask_agent', description: ASK }, tools = [], signal }: WebMcpAbilities = {},
): Promise<boolean> {
  const context = modelContext();
  if (context === null) return false;
  const options = signal === undefined ? {} : { signal };
  if (ask !== false)
    await context.registerTool(
      {
        ...ask,
        inputSchema: { type: 'object', properties: { task: { type: 'string' } }, required: ['task'] },
        execute: ({ task }) => askSession(session, task),
      },
      options,
    );
  for (const tool of tools) {
    const { name, description, schema: inputSchema } = tool.descriptor;
    const execute = (input: Record<string, unknown>): Promise<unknown> =>
      tool.call(input, {
        signal: signal ?? new AbortController().signal,
        callId: newId(),
        session: { name: session.name },
        files: session.files,
      });
    await context.registerTool({ name, description, inputSchema, execute }, options);
  }
  return true;
}

/** Gives a task to the session. Returns its answer, as far as the user releases it. */
async function askSession(session: AskedSession, task: unknown): Promise<string> {
  if (typeof task !== 'string' || task.trim() === '')
    throw new RoleZeroError('tool-input', '`task` must be a text that says what to do.');
  // Not the events of the session: they are for the user, and may contain what the user does not release.
  const { status, summary } = await session.send(task, { untrusted: BROWSER_AGENT }).result();
  return status === 'waiting' ? 'The agent waits for an answer of the user.' : summary;
}
