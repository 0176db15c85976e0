/**
 * One command, from its name to its result: resolve → authorize → replay guard → execute → authorize changes. Mistakes of the model and
 * failures of tools are results. `runCommands` records the result together with its effects.
 */
import { RoleZeroError } from '../../core/error.js';
import type { StagedFiles } from '../../core/files.js';
import { fingerprint } from '../../core/fingerprint.js';
import type { Command } from '../../core/human.js';
import type { JsonValue } from '../../core/json.js';
import type { ToolQuestion } from '../../core/tool.js';
import { withoutThinking } from '../parse/reply.js';
import type { Agent } from '../runtime/agent.js';
import type { Checked } from '../policy/judge.js';
import { askModel } from '../runtime/ask-model.js';
import { authorize, authorizeChanges, bringsUntrusted, mayRunUnasked, readGuard } from './authorize.js';
import type { Authorization } from './request-approval.js';
import { describeFailure, observationOf, outputLimit } from './observation.js';
import { Suspension, type Run } from '../runtime/outcome.js';
import { guardReplay } from './replay-guard.js';
import { isParallelSafe, replayOf } from './replay.js';
import { callTool } from './tool-call.js';
import type { ActStage } from '../runtime/turn.js';

/** Maximum characters of the name of an untrusted source. */
const MAX_SOURCE = 200;

/** A command and its place: `callId` is the same after a crash. */
export interface Call {
  command: Command;
  callId: string;
  /** Place among the commands of its reply. */
  index: number;
}

/** Changes of a command that succeeded; they are stored together with its result. */
interface Changes {
  files: StagedFiles;
  /** Group of the tool, and its new state. */
  group: string;
  state: Record<string, JsonValue>;
}

/** What a command read, and where it came from. */
interface Origin {
  /** Untrusted sources of the output. */
  untrusted: string[];
  /** See `CommandResult`. */
  composed: boolean;
  private: boolean;
}

/** The result of a command before its commit. */
export interface Finished extends Origin {
  call: Call;
  ok: boolean;
  /** The observation, as the model reads it. */
  output: string;
  startedAt: number;
  /** The commands after it are not run. */
  stops: boolean;
  authorization: Authorization | null;
  changes: Changes | null;
  pages: readonly { url: string; title: string }[];
}

/** A tool that was executed. */
interface Executed {
  origin: Origin;
  ok: boolean;
  output: unknown;
  changes: Changes;
  pages: { url: string; title: string }[];
}

const TRUSTED: Origin = { untrusted: [], composed: false, private: false };

/** Runs one command. @throws Errors that end the run: a stop, an open question, or an error of model or storage. */
export async function runCommand(agent: Agent, stage: ActStage, call: Call, run: Run): Promise<Finished> {
  const { command, callId } = call;
  const { context } = agent;
  const startedAt = context.runtime.now();
  const unfinished = {
    ...TRUSTED,
    call,
    startedAt,
    stops: true,
    authorization: null,
    changes: null,
    pages: [],
  };

  const resolved = agent.registry.resolve(command);
  if (!resolved.ok) {
    if (resolved.reason === 'unknown') agent.state.notes.push(resolved.advice);
    const output =
      resolved.reason === 'input'
        ? `Command ${command.name} executed: ${resolved.advice}`
        : `Command ${command.name} not found.`;
    return { ...unfinished, ok: false, output };
  }
  const { tool, input } = resolved;
  const checked: Checked = { tool, command: { name: tool.name, args: command.args }, input };
  const finish = (
    { ok, output }: { ok: boolean; output: string },
    rest: Partial<Finished> = {},
  ): Finished => ({ ...unfinished, ok, output, stops: !ok && tool.onFailure !== 'continue', ...rest });
  const observe = ({ ok, output }: { ok: boolean; output: unknown }) => ({
    ok,
    output: observationOf(agent, tool.name, output),
  });

  const files = context.workspace.stage();
  const before = await authorize(agent, checked, callId, run);
  if (before.refusal !== null)
    return finish(observe({ ok: false, output: before.refusal }), { authorization: before });
  const { name, args } = command;
  context.emit({ type: 'command-start', role: agent.name, callId, name, args });

  const recorded = recordedOutcome(agent, checked, call);
  if (recorded !== null) {
    const { untrusted = [], composed = false } = recorded;
    return finish(recorded, { authorization: before, untrusted, composed });
  }
  const known = await guardReplay(agent, stage, checked, callId, run);
  if (known !== null) return finish(observe(known), { authorization: before });

  let origin: Origin = TRUSTED;
  try {
    const executed = await execute(agent, checked, callId, files, run, before.target ?? null);
    const { ok, output, changes, pages } = executed;
    origin = executed.origin;
    const keeps = ok && !isParallelSafe(tool);
    const after = await authorizeChanges(agent, checked, callId, run, files, { keeps, before });
    // When it is refused, the model does not receive what was read.
    if (after.refusal !== null)
      return finish(observe({ ok: false, output: after.refusal }), { authorization: after });
    const rest = { ...origin, pages, authorization: after, changes: keeps ? changes : null };
    return finish(observe({ ok, output }), rest);
  } catch (error) {
    if (endsRun(error, run)) throw error;
    return finish(observe({ ok: false, output: describeFailure(error) }), {
      ...origin,
      authorization: before,
    });
  }
}

/** Returns the recorded result of a command with an outside effect, in a replay; else null. */
function recordedOutcome(agent: Agent, { tool }: Checked, { index }: Call) {
  if (replayOf(tool) === 'atomic') return null;
  return agent.context.recorded?.({ role: agent.name, step: agent.state.stepsTaken, index }) ?? null;
}

/** Runs the tool with staged files and a copy of its state. A failure of the tool is a result. */
async function execute(
  agent: Agent,
  checked: Checked,
  callId: string,
  files: StagedFiles,
  run: Run,
  approvedTarget: string | null,
): Promise<Executed> {
  const { tool, input } = checked;
  const { context, name: role } = agent;
  const { untrusted: before = [], private: wasPrivate = false, tools } = agent.state;
  files.mark(before, wasPrivate ? 'secret' : 'open');
  const guard = readGuard(agent, checked);
  files.guard(guard);
  files.mayRead = (path) => passes(guard, path);
  const group = groupOf(tool.name);
  const state = Object.hasOwn(tools, group) ? structuredClone(tools[group] ?? {}) : {}; // a group may be named `constructor`
  const pages: Executed['pages'] = [];
  const untrusted: string[] = [];
  let isPrivate = false;
  const own = {
    role,
    callId,
    files,
    state,
    outputLimit: outputLimit(agent),
    exposed: before.length > 0 && wasPrivate,
    approvedTarget,
    mayRun: (name: string, args: Record<string, JsonValue>) => mayRunUnasked(agent, { name, args }),
    untrusted: (source: string) => void untrusted.push(source.slice(0, MAX_SOURCE)),
    private: () => void (isPrivate = true),
    pageChanged: (url: string, title: string) => void pages.push({ url, title }),
    ask: (question: ToolQuestion, signal: AbortSignal) =>
      askForTool(agent, { ...run, signal }, callId, question),
  };
  const { ok, output } = await outcomeOf(() => callTool(tool, input, own, context, run.signal), run);
  // The message of a failure may contain untrusted content too.
  const touched = files.touched();
  const isBrought = untrusted.length > 0 || bringsUntrusted(agent, checked);
  const composed = !isBrought || tool.composes === true;
  untrusted.push(...touched.untrusted);
  if (isBrought && untrusted.length === 0) untrusted.push(tool.name);
  isPrivate ||= touched.private;
  files.mark([...before, ...untrusted], wasPrivate || isPrivate ? 'secret' : 'open');
  const origin = { untrusted, composed, private: isPrivate };
  return { ok, output, changes: { files, group, state }, pages, origin };
}

function passes(guard: (path: string) => void, path: string): boolean {
  try {
    guard(path);
    return true;
  } catch {
    return false;
  }
}

/** Returns the group of a tool: `Editor` for `Editor.write`. */
function groupOf(tool: string): string {
  const point = tool.indexOf('.');
  return point < 0 ? tool : tool.slice(0, point);
}

/** Answers a question of a command to the model, outside of the conversation. Parallel commands ask one after the other. */
async function askForTool(
  agent: Agent,
  run: Run,
  callId: string,
  { text, purpose = 'other', maxOutputTokens }: ToolQuestion,
): Promise<string> {
  const before = agent.toolQuestion;
  const reply = (async () => {
    await before.catch(() => {}); // its own command reports the error
    run.signal.throwIfAborted();
    return askModel(agent, run, {
      purpose,
      key: `tool:${callId}:${fingerprint(text, purpose)}`,
      text,
      apart: true,
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    });
  })();
  agent.toolQuestion = reply;
  return withoutThinking((await reply).text).trim();
}

/** Returns the output of a tool, or the description of its failure. */
async function outcomeOf(call: () => Promise<unknown>, run: Run): Promise<{ ok: boolean; output: unknown }> {
  try {
    return { ok: true, output: await call() };
  } catch (error) {
    if (endsRun(error, run)) throw error;
    return { ok: false, output: describeFailure(error) };
  }
}

/** Returns whether an error ends the run: a stop, an open question, or an error of model or storage. */
function endsRun(error: unknown, run: Run): boolean {
  if (error instanceof Suspension || run.signal.aborted) return true;
  return error instanceof RoleZeroError && error.endsRun;
}
