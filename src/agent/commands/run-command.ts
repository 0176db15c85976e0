/**
 * One command, from its name to its result: resolve → authorize → replay guard → execute → authorize changes. Mistakes of the model and
 * failures of tools are results. `runCommands` records the result together with its effects.
 */
import { RoleZeroError } from '../../core/error.js';
import type { StagedFiles } from '../../core/files.js';
import { fingerprint } from '../../core/fingerprint.js';
import type { Command } from '../../core/human.js';
import type { JsonValue } from '../../core/json.js';
import { sha256 } from '../../core/sha256.js';
import type { ToolQuestion } from '../../core/tool.js';
import { withoutThinking } from '../parse/reply.js';
import type { Agent } from '../runtime/agent.js';
import type { Checked } from '../policy/judge.js';
import type { NeededRequest } from '../policy/shown-command.js';
import { askModel } from '../runtime/ask-model.js';
import {
  authorize,
  authorizeChanges,
  bringsUntrusted,
  mayRunUnasked,
  offlineForm,
  readGuard,
} from './authorize.js';
import { describeBytes, GRANTED, type Authorization } from './request-approval.js';
import { describeFailure, observationOf, outputLimit } from './observation.js';
import { Suspension, type Run } from '../runtime/outcome.js';
import { guardReplay } from './replay-guard.js';
import { isParallelSafe, replayOf } from './replay.js';
import { callTool } from './tool-call.js';
import type { ActStage } from '../runtime/turn.js';

/** Maximum characters of the name of an untrusted source. */
const MAX_SOURCE = 200;
/** Maximum number of addresses that the sources of a result name, and their maximum characters. */
const MAX_ADDRESSES = 100;
const MAX_ADDRESS = 2_048;

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
  /** See `CommandResult`. */
  addresses: string[];
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

const TRUSTED: Origin = { untrusted: [], composed: false, addresses: [], private: false };

/** Runs one command. @throws Errors that end the run: a stop, an open question, or an error of model or storage. */
export async function runCommand(agent: Agent, stage: ActStage, call: Call, run: Run): Promise<Finished> {
  const { command, callId } = call;
  const startedAt = agent.context.runtime.now();
  const resolved = agent.registry.resolve(command);
  if (!resolved.ok) {
    if (resolved.reason === 'unknown') agent.state.notes.push(resolved.advice);
    const output =
      resolved.reason === 'input'
        ? `Command ${command.name} executed: ${resolved.advice}`
        : `Command ${command.name} not found.`;
    return finished(call, startedAt, { ok: false, output, stops: true });
  }
  const { tool, input } = resolved;
  const checked: Checked = { tool, command: { name: tool.name, args: command.args }, input };
  const attempt = { agent, stage, call, run, startedAt, hasStarted: false };
  const offline = offlineForm(agent, checked);
  for (let needed: NeededRequest | null = null; ;) {
    try {
      if (offline !== null && needed === null) return await runOnce(attempt, offline, GRANTED);
      const permission = await authorize(agent, checked, callId, run, needed);
      if (needed === null || permission.refusal !== null || (await isAsShown(agent, needed)))
        return await runOnce(attempt, checked, permission);
      needed = null; // a file has changed since the user saw it
    } catch (error) {
      if (!(error instanceof NetworkNeeded)) throw error;
      needed = error.needed;
    }
  }
}

/** A command that is about to run, once or twice. */
interface Attempt {
  agent: Agent;
  stage: ActStage;
  call: Call;
  run: Run;
  startedAt: number;
  /** Its start has been reported. */
  hasStarted: boolean;
}

/** Runs a command that has been authorized. @throws NetworkNeeded when it is offline and needs a request, and the errors of `runCommand`. */
async function runOnce(attempt: Attempt, checked: Checked, before: Authorization): Promise<Finished> {
  const { agent, stage, call, run, startedAt, hasStarted } = attempt;
  const { context } = agent;
  const { callId, command } = call;
  const { tool } = checked;
  const finish = (
    { ok, output }: { ok: boolean; output: unknown },
    rest: Partial<Finished> = {},
  ): Finished => {
    const stops = !ok && tool.onFailure !== 'continue';
    const text = observationOf(agent, tool.name, output);
    return finished(call, startedAt, { ok, output: text, stops, authorization: before, ...rest });
  };

  if (before.refusal !== null) return finish({ ok: false, output: before.refusal });
  const { name, args } = command;
  if (!hasStarted) context.emit({ type: 'command-start', role: agent.name, callId, name, args });
  attempt.hasStarted = true;

  const recorded = recordedOutcome(agent, checked, call);
  if (recorded !== null) {
    const { output, untrusted = [], composed = false, addresses = [] } = recorded;
    return finish(recorded, { output, untrusted, composed, addresses });
  }
  const known = await guardReplay(agent, stage, checked, callId, run);
  if (known !== null) return finish(known);

  const files = context.workspace.stage();
  let origin: Origin = TRUSTED;
  try {
    const executed = await execute(agent, checked, callId, files, run, before.target ?? null);
    const { changes, pages } = executed;
    origin = executed.origin;
    const keeps = executed.ok && !isParallelSafe(tool);
    const after = await authorizeChanges(agent, checked, callId, run, files, { keeps, before });
    // When it is refused, the model does not receive what was read.
    if (after.refusal !== null) return finish({ ok: false, output: after.refusal }, { authorization: after });
    return finish(executed, { ...origin, pages, authorization: after, changes: keeps ? changes : null });
  } catch (error) {
    if (error instanceof NetworkNeeded || endsRun(error, run)) throw error;
    return finish({ ok: false, output: describeFailure(error) }, origin);
  }
}

/** Returns a result in which everything that is not given is empty. */
function finished(
  call: Call,
  startedAt: number,
  result: Pick<Finished, 'ok' | 'output' | 'stops'> & Partial<Finished>,
): Finished {
  return { ...TRUSTED, call, startedAt, authorization: null, changes: null, pages: [], ...result };
}

/** Returns the recorded result of a command with an outside effect, in a replay; else null. */
function recordedOutcome(agent: Agent, { tool }: Checked, { index }: Call) {
  if (replayOf(tool) === 'atomic') return null;
  return agent.context.recorded?.({ role: agent.name, step: agent.state.stepsTaken, index }) ?? null;
}

/** Thrown by a command that may not send requests, before its first one. */
class NetworkNeeded extends Error {
  constructor(readonly needed: NeededRequest) {
    super(`The user has not allowed ${needed.request}.`);
  }
}

/** Returns whether the files that the user was shown are still the same. */
async function isAsShown(agent: Agent, { read }: NeededRequest): Promise<boolean> {
  const files = agent.context.workspace.stage();
  const now = filesOf(
    files,
    read.map(({ path }) => path),
  );
  return JSON.stringify(now) === JSON.stringify(read);
}

/** Returns files as the user is shown them. */
function filesOf(files: StagedFiles, paths: readonly string[]): NeededRequest['read'] {
  return files.differences(paths, describeBytes).map(({ path, before }) => {
    const text = before ?? '';
    return { path, text, sha256: sha256(text) };
  });
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
  const addresses: string[] = [];
  let isAllFromOthers = false;
  let isPrivate = false;
  const needsNetwork = (request: string): never => {
    throw new NetworkNeeded({ request, read: filesOf(files, files.touched().read) });
  };
  const own = {
    role,
    callId,
    files,
    state,
    outputLimit: outputLimit(agent),
    exposed: before.length > 0 && wasPrivate,
    approvedTarget,
    mayRun: (name: string, args: Record<string, JsonValue>) => mayRunUnasked(agent, { name, args }),
    untrusted: (source: string, named?: readonly string[]) => {
      untrusted.push(source.slice(0, MAX_SOURCE));
      addresses.push(
        ...(named ?? []).slice(0, MAX_ADDRESSES).map((address) => address.slice(0, MAX_ADDRESS)),
      );
      isAllFromOthers ||= named === undefined;
    },
    private: () => void (isPrivate = true),
    needsNetwork: checked.isOffline === true ? needsNetwork : null,
    pageChanged: (url: string, title: string) => void pages.push({ url, title }),
    ask: (question: ToolQuestion, signal: AbortSignal) =>
      askForTool(agent, { ...run, signal }, callId, question),
  };
  const { ok, output, isOwn } = await outcomeOf(() => callTool(tool, input, own, context, run.signal), run);
  // The message of a failure may contain untrusted content too.
  const touched = files.touched();
  const isBrought = untrusted.length > 0 || (!isOwn && hasText(output) && bringsUntrusted(agent, checked));
  const isAnswered = untrusted.length > 0 && !isAllFromOthers;
  const composed = !isBrought || tool.composes === true || isAnswered;
  untrusted.push(...touched.untrusted);
  if (isBrought && untrusted.length === 0) untrusted.push(tool.name);
  isPrivate ||= touched.private;
  files.mark([...before, ...untrusted], wasPrivate || isPrivate ? 'secret' : 'open');
  const origin = { untrusted, composed, addresses, private: isPrivate };
  return { ok, output, changes: { files, group, state }, pages, origin };
}

/** Returns whether an output can contain what somebody wrote. */
function hasText(output: unknown): boolean {
  return output !== '' && (typeof output === 'string' || (typeof output === 'object' && output !== null));
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

/** Returns the output of a tool, or the description of its failure. `isOwn`: the library wrote it, about invalid arguments. */
async function outcomeOf(
  call: () => Promise<unknown>,
  run: Run,
): Promise<{ ok: boolean; output: unknown; isOwn: boolean }> {
  try {
    return { ok: true, output: await call(), isOwn: false };
  } catch (error) {
    if (error instanceof NetworkNeeded || endsRun(error, run)) throw error;
    const isOwn = error instanceof RoleZeroError && error.code === 'tool-input';
    return { ok: false, output: describeFailure(error), isOwn };
  }
}

/** Returns whether an error ends the run: a stop, an open question, or an error of model or storage. */
function endsRun(error: unknown, run: Run): boolean {
  if (error instanceof Suspension || run.signal.aborted) return true;
  return error instanceof RoleZeroError && error.endsRun;
}
