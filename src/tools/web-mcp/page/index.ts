import { RoleZeroError } from '../../../core/error.js';
import type { RunResult } from '../../../core/events.js';
import { isRecord } from '../../../core/json.js';
import type { SendOptions } from '../../../core/message.js';
import { newId } from '../../../core/new-id.js';
import type { PageTool, ReadableFiles } from '../../../core/page-tool.js';
import { WEB_MCP_PART, type SharedTool, type WebMcpRequest } from '../protocol.js';

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

/**
 * Page side of WebMCP: shares the tools that scripts of this page have registered with the agent. The worker side is `webMcp()` of
 * `rolezero/tools/web-mcp`. Without WebMCP in the browser, or a polyfill, there are no tools, and a `warning` event says so.
 *
 * @example connect(worker, { tools: [webMcpTools()] })
 */
export function webMcpTools(): PageTool {
  return {
    descriptor: {
      name: WEB_MCP_PART,
      description: 'Shares the tools of the page.',
      schema: {},
      effect: 'ui',
      replay: 'idempotent',
      onAmbiguous: 'fail',
      part: true,
    },
    async call(input, { signal }) {
      const request = input as WebMcpRequest; // from the application's own worker
      const context = modelContext();
      if (context?.getTools === undefined)
        throw new RoleZeroError(
          'tool-failed',
          'this browser has no WebMCP that lists tools (`document.modelContext.getTools`). Load a polyfill before connect(), or leave out webMcp().',
        );
      const listed = await context.getTools();
      if (request.do === 'list') return listed.map(asShared);
      return runPageTool(context, listed, request, signal);
    },
  };
}

/** Runs a tool, unless it has changed since the agent was shown it. */
async function runPageTool(
  context: ModelContext,
  listed: readonly ListedTool[],
  { tool, input }: Extract<WebMcpRequest, { do: 'call' }>,
  signal: AbortSignal,
): Promise<unknown> {
  const known = listed.find(({ name }) => name === tool.name);
  if (known === undefined || JSON.stringify(asShared(known)) !== JSON.stringify(tool))
    throw new RoleZeroError(
      'conflict',
      `The page has changed or removed the tool ${tool.name} since. Read its new description, then decide whether to call it.`,
      { tool: tool.name },
    );
  if (context.executeTool === undefined)
    throw new RoleZeroError('tool-failed', 'This browser cannot run tools of the page (`executeTool`).');
  return readable(await context.executeTool(known, inBothForms(input), { signal }));
}

function asShared({ name, title, description, inputSchema, annotations }: ListedTool): SharedTool {
  const schema = typeof inputSchema === 'string' ? jsonOrUndefined(inputSchema) : inputSchema;
  const { readOnlyHint, untrustedContentHint } = annotations ?? {};
  const shared = {
    name,
    title: title === '' ? undefined : title,
    description,
    inputSchema: schema ?? { type: 'object', properties: {} },
    annotations: { readOnlyHint, untrustedContentHint },
  };
  return JSON.parse(JSON.stringify(shared)) as SharedTool; // plain data, without undefined properties
}

/** Returns arguments as an object that is JSON when it is used as text: earlier versions of Chromium, and the polyfill, expect JSON. */
function inBothForms(input: unknown): object {
  const json = JSON.stringify(input);
  return Object.defineProperty({ ...(input as object) }, 'toString', { value: () => json });
}

/** Returns a result as the tool meant it: the texts of an MCP result, else its JSON. */
function readable(result: string | null): unknown {
  const value = result === null ? null : (jsonOrUndefined(result) ?? result);
  if (!isRecord(value) || !Array.isArray(value['content'])) return value;
  const texts = value['content']
    .filter(isRecord)
    .flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  const text = texts.join('\n');
  if (value['isError'] === true) throw new RoleZeroError('tool-failed', text === '' ? 'It failed.' : text);
  return text;
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A tool as `registerTool` takes it. */
interface RegisteredTool {
  name: string;
  description: string;
  inputSchema?: object;
  annotations?: { readOnlyHint?: boolean; untrustedContentHint?: boolean };
  execute(input: Record<string, unknown>): unknown;
}

/** A tool as `getTools` lists it. Its schema is text in older versions of Chromium. */
interface ListedTool {
  name: string;
  title?: string;
  description: string;
  inputSchema?: unknown;
  annotations?: { readOnlyHint?: boolean; untrustedContentHint?: boolean };
}

/** The part of WebMCP that this library uses. `executeTool` is an extension of Chromium. */
interface ModelContext {
  registerTool(tool: RegisteredTool, options?: { signal?: AbortSignal }): Promise<void> | void;
  getTools?(): Promise<ListedTool[]>;
  executeTool?(tool: ListedTool, input: object, options?: { signal?: AbortSignal }): Promise<string | null>;
}

/** Returns the WebMCP of this document, also under its earlier name; null when the browser has none. */
function modelContext(): ModelContext | null {
  const { document, navigator } = globalThis as {
    document?: { modelContext?: ModelContext };
    navigator?: { modelContext?: ModelContext };
  };
  return document?.modelContext ?? navigator?.modelContext ?? null;
}
