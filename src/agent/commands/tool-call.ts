import { RoleZeroError } from '../../core/error.js';
import { onAbort } from '../../core/on-abort.js';
import type { Tool, ToolContext, ToolQuestion } from '../../core/tool.js';
import type { Agent } from '../runtime/agent.js';
import type { RoleContext } from '../runtime/context.js';
import type { Run } from '../runtime/outcome.js';

/** Time limit of a command in milliseconds, when its tool sets none. */
const DEFAULT_TIMEOUT = 60_000;

/** The agent that runs a tool, and its run. */
export interface Caller {
  agent: Agent;
  run: Run;
}

/** For tools of the library that work with the agent. Tools of applications cannot reach it. */
const callers = new WeakMap<ToolContext, Caller>();

/** Returns the agent that runs a tool; undefined when no role runs it. */
export function callerOf(context: ToolContext): Caller | undefined {
  return callers.get(context);
}

/** What one call of a tool receives. */
export interface OwnOfCall {
  caller: Caller;
  role: string;
  callId: string;
  files: ToolContext['files'];
  state: ToolContext['state'];
  outputLimit: number;
  exposed: boolean;
  approvedTarget: string | null;
  mayRun: NonNullable<ToolContext['mayRun']>;
  untrusted: NonNullable<ToolContext['untrusted']>;
  private: () => void;
  pageChanged: ToolContext['pageChanged'];
  /** Asks the model of the role until `signal` aborts. */
  ask: (question: ToolQuestion, signal: AbortSignal) => Promise<string>;
  needsNetwork: ((request: string) => never) | null;
  shownFiles: readonly string[] | null;
}

type CallContext = Pick<RoleContext, 'session' | 'emit' | 'callPage' | 'calls'>;

/**
 * Runs a tool. The time limit, and a stop or a cancellation by the user, apply even if the tool ignores its signal. Returns a promise only
 * for a tool that does: a synchronous one is done and cannot be stopped.
 *
 * @throws RoleZeroError `tool-timeout`, `tool-failed` when it was canceled, the reason of the stop, or whatever the tool throws.
 */
export function callTool(
  tool: Tool,
  input: unknown,
  own: OwnOfCall,
  context: CallContext,
  stop: AbortSignal,
): unknown {
  const limit = tool.timeoutMs ?? DEFAULT_TIMEOUT;
  let end: Deadline | null = null;
  const untilEnd = (): Deadline => (end ??= new Deadline(stop, limit, () => tooSlow(tool, limit)));
  let result: Promise<unknown> | null = null;
  try {
    const output = tool.run(input, toolContextOf(own, context, untilEnd));
    if (!(output instanceof Object && 'then' in output)) return output;
    result = Promise.resolve(output);
  } finally {
    if (result === null) (end as Deadline | null)?.release();
  }
  result.catch(() => {}); // no caller waits for a tool that fails after its time limit
  const forget = context.calls?.add(own.callId, () => untilEnd().endWith(canceled(tool)));
  return Promise.race([result, untilEnd().reached]).finally(() => {
    forget?.();
    untilEnd().release();
  });
}

/** Returns what the tool receives besides its input. */
function toolContextOf(
  { role, ask, callId, caller, ...given }: OwnOfCall,
  context: CallContext,
  untilEnd: () => Deadline,
): ToolContext {
  const { callPage } = context;
  const own: Omit<ToolContext, 'signal'> & Timed = {
    [DEADLINE]: untilEnd,
    callId,
    files: given.files,
    state: given.state,
    session: { name: context.session, role },
    outputLimit: given.outputLimit,
    exposed: given.exposed,
    mayRun: given.mayRun,
    untrusted: given.untrusted,
    private: given.private,
    pageChanged: given.pageChanged,
    output: (text) => context.emit({ type: 'command-output-delta', role, callId, text }),
    ask: async (question) => {
      const { signal } = untilEnd();
      signal.throwIfAborted(); // a tool that timed out may not ask any more
      return ask(question, signal);
    },
  };
  if (given.approvedTarget !== null) own.approvedTarget = given.approvedTarget;
  if (given.needsNetwork !== null) own.needsNetwork = given.needsNetwork;
  if (given.shownFiles !== null) own.shownFiles = given.shownFiles;
  if (callPage !== undefined) {
    let pageCalls = 0;
    own.callPage = async (name: string, args: unknown) => {
      const { signal } = untilEnd();
      signal.throwIfAborted();
      return callPage(`${callId}:${++pageCalls}`, name, args, signal);
    };
  }
  const made = Object.defineProperty(own, 'signal', SIGNAL) as typeof own & ToolContext;
  callers.set(made, caller);
  return made;
}

const DEADLINE = Symbol('deadline');

interface Timed {
  [DEADLINE]: () => Deadline;
}

/**
 * The signal of a call, created when the tool reads it. All calls share one getter: an object with its own getter has its own shape, which
 * holds everything in the scope of the getter (the whole run) until a full garbage collection.
 */
const SIGNAL: PropertyDescriptor & ThisType<Timed> = {
  enumerable: true,
  get() {
    return this[DEADLINE]().signal;
  },
};

/** Time limit and stop signal of a call, created on demand: most tools finish before they read it. */
class Deadline {
  /** Rejects when the user stops the run, or at the time limit. */
  readonly reached: Promise<never>;
  readonly #stop: AbortSignal;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #forget: () => void;
  #deadline: AbortController | null = null;
  #signal: AbortSignal | null = null;
  #over: RoleZeroError | null = null;
  readonly #reject: (reason: unknown) => void;

  constructor(stop: AbortSignal, limit: number, why: () => RoleZeroError) {
    this.#stop = stop;
    let reject: (reason: unknown) => void = () => {};
    this.reached = new Promise<never>((_, give) => (reject = give));
    this.reached.catch(() => {}); // only the race handles it
    this.#reject = reject;
    this.#forget = onAbort(stop, () => reject(stop.reason));
    this.#timer = Number.isFinite(limit) ? setTimeout(() => this.endWith(why()), limit) : undefined;
  }

  endWith(error: RoleZeroError): void {
    this.#over = error;
    this.#deadline?.abort(error);
    this.#reject(error);
  }

  /** The same for the tool, created on demand. */
  get signal(): AbortSignal {
    if (this.#signal !== null) return this.#signal;
    this.#deadline = new AbortController();
    if (this.#over !== null) this.#deadline.abort(this.#over);
    return (this.#signal = AbortSignal.any([this.#stop, this.#deadline.signal]));
  }

  /** Removes the listener when the call is over, so that a long run does not collect them. */
  release(): void {
    clearTimeout(this.#timer);
    this.#forget();
  }
}

function canceled({ name, effect }: Tool): RoleZeroError {
  const rest =
    effect === 'egress-write'
      ? 'It is not known whether it took effect: ask before you run it again.'
      : 'Its changes were discarded. Do not repeat it unless the user asks for it.';
  return new RoleZeroError('tool-failed', `The user canceled ${name}. ${rest}`, { tool: name });
}

/** Changes inside the session are discarded; what a tool has sent before its limit may have taken effect. */
function tooSlow({ name, effect }: Tool, limit: number): RoleZeroError {
  const rest =
    effect === 'egress-write'
      ? 'It is not known whether it took effect: check before you run it again.'
      : 'Its changes were discarded. Try a smaller step.';
  return new RoleZeroError(
    'tool-timeout',
    `${name} was stopped after ${limit / 1000} seconds without finishing. ${rest}`,
    { tool: name, timeoutMs: limit },
  );
}
