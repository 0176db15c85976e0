import { RoleZeroError } from '../base/error.js';
import { onAbort } from '../base/on-abort.js';
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
  let end: End | null = null;
  const untilEnd = (): End => (end ??= endOf(stop, limit, () => tooSlow(tool, limit)));
  const { callId } = own;
  try {
    const given = tool.run(input, {
      callId,
      files: own.files,
      state: own.state,
      session: { name: context.session, role },
      outputLimit: own.outputLimit,
      untrusted: own.untrusted,
      private: own.private,
      pageChanged: own.pageChanged,
      output: (text) => context.emit({ type: 'command-output-delta', role, callId, text }),
      ask: async (question) => {
        const { signal } = untilEnd();
        signal.throwIfAborted(); // a tool that was given up has nothing more to ask
        return ask(question, signal);
      },
      ...(callPage === undefined
        ? {}
        : {
            callPage: async (name: string, args: unknown) => {
              const { signal } = untilEnd();
              signal.throwIfAborted();
              return callPage(`${callId}:${++pageCalls}`, name, args, signal);
            },
          }),
      get signal() {
        return untilEnd().signal;
      },
    });
    if (!(given instanceof Object && 'then' in given)) return given; // it is done: nothing is left to be stopped
    const result = Promise.resolve(given);
    result.catch(() => {}); // a tool that fails after it was given up has nobody to tell
    return await Promise.race([result, untilEnd().reached]);
  } finally {
    (end as End | null)?.release();
  }
}

/** Where a call ends at the latest. */
interface End {
  /** Rejects at the person's stop, or when the time is over. */
  readonly reached: Promise<never>;
  /** The same for the tool. Most never look at it, so it is made for those that do. */
  readonly signal: AbortSignal;
  /** The call is over: a run of many calls must not listen for each of them to its end. */
  release(): void;
}

function endOf(stop: AbortSignal, limit: number, why: () => RoleZeroError): End {
  let deadline: AbortController | null = null;
  let signal: AbortSignal | null = null;
  let over: RoleZeroError | null = null;
  let reject: (reason: unknown) => void = () => {};
  const reached = new Promise<never>((_, give) => (reject = give));
  reached.catch(() => {}); // only the race listens
  const forget = onAbort(stop, () => reject(stop.reason));
  const onTime = (): void => {
    over = why();
    deadline?.abort(over);
    reject(over);
  };
  const timer = Number.isFinite(limit) ? setTimeout(onTime, limit) : undefined;
  return {
    reached,
    get signal() {
      if (signal !== null) return signal;
      deadline = new AbortController();
      if (over !== null) deadline.abort(over);
      return (signal = AbortSignal.any([stop, deadline.signal]));
    },
    release() {
      clearTimeout(timer);
      forget();
    },
  };
}

function tooSlow({ name }: Tool, limit: number): RoleZeroError {
  return new RoleZeroError(
    'tool-timeout',
    `${name} was stopped after ${limit / 1000} seconds without finishing; nothing it changed was kept. Try a smaller step.`,
    { tool: name, timeoutMs: limit },
  );
}
