import { RoleZeroError } from '../base/error.js';
import type { Tool, ToolContext, ToolQuestion } from '../base/tool.js';
import type { RoleContext } from './context.js';

/** Milliseconds a command may take when its tool does not say. */
const DEFAULT_TIMEOUT = 60_000;

/** What one call of a tool has for itself. */
export interface OwnOfCall {
  role: string;
  callId: string;
  files: ToolContext['files'];
  state: ToolContext['state'];
  outputLimit: number;
  untrusted: (source: string) => void;
  private: () => void;
  pageChanged: ToolContext['pageChanged'];
  /** Asks the role's model until `signal` aborts. */
  ask: (question: ToolQuestion, signal: AbortSignal) => Promise<string>;
}

/**
 * Runs a tool with its time limit and the person's stop, also when it listens to neither.
 * @throws RoleZeroError `tool-timeout`, the reason of the stop, or whatever the tool throws.
 */
export async function callTool(
  tool: Tool,
  input: unknown,
  { role, ask, ...own }: OwnOfCall,
  context: Pick<RoleContext, 'session' | 'emit' | 'callPage'>,
  stop: AbortSignal,
): Promise<unknown> {
  const { callPage } = context;
  let pageCalls = 0;
  const limit = tool.timeoutMs ?? DEFAULT_TIMEOUT;
  const deadline = new AbortController();
  const signal = AbortSignal.any([stop, deadline.signal]);
  const expired = new RoleZeroError(
    'tool-timeout',
    `${tool.name} was stopped after ${limit / 1000} seconds without finishing; nothing it changed was kept. Try a smaller step.`,
    { tool: tool.name, timeoutMs: limit },
  );
  const timer = Number.isFinite(limit) ? setTimeout(() => deadline.abort(expired), limit) : undefined;
  try {
    const stopped = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    stopped.catch(() => {}); // only the race below listens
    const result = (async () =>
      tool.run(input, {
        ...own,
        signal,
        session: { name: context.session, role },
        output: (text) => context.emit({ type: 'command-output-delta', role, callId: own.callId, text }),
        ask: async (question) => {
          signal.throwIfAborted(); // a tool that was given up has nothing more to ask
          return ask(question, signal);
        },
        ...(callPage === undefined
          ? {}
          : {
              callPage: async (name, args) => {
                signal.throwIfAborted();
                return callPage(`${own.callId}:${++pageCalls}`, name, args, signal);
              },
            }),
      }))();
    result.catch(() => {}); // a tool that fails after it was given up has nobody to tell
    return await Promise.race([result, stopped]);
  } finally {
    clearTimeout(timer);
  }
}
