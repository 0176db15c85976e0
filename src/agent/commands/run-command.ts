/**
 * One command, from its name to its result: resolve → authorize → replay guard → execute → authorize changes. Mistakes of the model and
 * failures of tools are results. `runCommands` records the result together with its effects.
 */
import type { Command } from '../../core/human.js';
import type { JsonValue } from '../../core/json.js';
import type { Tool } from '../../core/tool.js';
import { targetOf, type Checked } from '../policy/situation.js';
import type { NeededRequest } from '../policy/shown-command.js';
import { sections } from '../prompt/template.js';
import type { Agent } from '../runtime/agent.js';
import { commandActivity } from '../../core/activity.js';
import type { Run } from '../runtime/outcome.js';
import type { ActStage, Correction } from '../runtime/turn.js';
import { authorize, authorizeChanges, authorizeEdited, judgesFiles, offlineForm } from './authorize.js';
import {
  execute,
  isThrownOn,
  TRUSTED,
  type Changes,
  type Origin,
  describeFailure,
  observationOf,
} from './execute.js';
import { isAsShown, NetworkNeeded } from './network-needed.js';
import { seenBy, type SeenFiles } from './seen-files.js';
import { guardReplay, UNKNOWN } from './replay-guard.js';
import { isParallelSafe, replayOf } from './tool-effects.js';
import { GRANTED, type Authorization } from './request-approval.js';

/** A command and its place: `callId` is the same after a crash. */
export interface Call {
  command: Command;
  callId: string;
  /** Place among the commands of its reply. */
  index: number;
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
  correction: Correction | null;
  changes: Changes | null;
  pages: readonly { url: string; title: string }[];
  seen: SeenFiles;
}

/** Runs one command. @throws Errors that end the run: a stop, an open question, or an error of model or storage. */
export async function runCommand(agent: Agent, stage: ActStage, call: Call, run: Run): Promise<Finished> {
  const { command, callId } = call;
  const startedAt = agent.context.runtime.now();
  const resolved = agent.registry.resolve(command);
  if (!resolved.ok) {
    if (resolved.reason === 'unknown' && stage.attempt?.callId === callId)
      return finished(call, startedAt, {
        ok: false,
        output: observationOf(agent, command, UNKNOWN),
        stops: true,
      });
    if (resolved.reason === 'unknown') agent.state.notes.push(resolved.advice);
    const output =
      resolved.reason === 'input'
        ? `Command ${command.name} executed: ${resolved.advice}`
        : `Command ${command.name} not found.`;
    return finished(call, startedAt, { ok: false, output, stops: true });
  }
  const { tool, input, note = '' } = resolved;
  const checked: Checked = { tool, command: { name: tool.name, args: command.args }, input };
  const attempt: Attempt = { agent, stage, call, run, startedAt, note, hasStarted: false, shownFiles: null };
  const offline = offlineForm(agent, checked);
  for (let needed: NeededRequest | null = null; ;) {
    try {
      if (offline !== null && needed === null) return await runOnce(attempt, offline, GRANTED);
      const authorized = authorize(agent, checked, callId, run, needed);
      const permission = authorized instanceof Promise ? await authorized : authorized;
      attempt.shownFiles = needed?.read.map(({ path }) => path) ?? null;
      if (permission.edited !== undefined) return await runEdited(attempt, permission.edited, permission);
      if (needed === null || permission.refusal !== null || (await isAsShown(agent, needed)))
        return await runOnce(attempt, checked, permission);
      needed = null; // a file has changed since the user saw it
    } catch (error) {
      if (!(error instanceof NetworkNeeded)) throw error;
      needed = await error.needed();
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
  /** What the model must know about its arguments. */
  note: string;
  /** Its start has been reported. */
  hasStarted: boolean;
  /** The files that the user was shown when allowing its requests; null without such an approval. */
  shownFiles: readonly string[] | null;
}

/** Runs a command with the arguments that the user has written in place of those of the model, which reads them. */
async function runEdited(
  attempt: Attempt,
  args: Record<string, JsonValue>,
  { edited: _, ...permission }: Authorization,
): Promise<Finished> {
  const { agent, call } = attempt;
  const resolved = agent.registry.resolve({ name: call.command.name, args });
  if (!resolved.ok) {
    const output = `Command ${call.command.name} executed: The user allowed it with other arguments, which do not fit: ${resolved.reason === 'input' ? resolved.advice : 'it is not known'}`;
    return finished(call, attempt.startedAt, { ok: false, output, stops: true });
  }
  const { tool, input } = resolved;
  const checked: Checked = { tool, command: { name: tool.name, args }, input };
  const { refusal } = authorizeEdited(agent, checked);
  const note = `The user has changed the arguments: it ran with ${JSON.stringify(args)}`;
  const edited: Attempt = {
    ...attempt,
    call: { ...call, command: { name: call.command.name, args } },
    note: sections(attempt.note, note),
  };
  return runOnce(
    edited,
    checked,
    refusal === null
      ? { ...permission, target: targetOf(checked, { toolState: agent.state.tools }) }
      : { ...permission, refusal },
  );
}

/** Runs a command that has been authorized. @throws NetworkNeeded when it is offline and needs a request, and the errors of `runCommand`. */
async function runOnce(attempt: Attempt, checked: Checked, authorization: Authorization): Promise<Finished> {
  const { agent, stage, call, run } = attempt;
  const { tool } = checked;
  const { refusal } = authorization;
  if (refusal !== null)
    return finishCommand(attempt, tool, { ...REFUSED_RESULT, output: refusal, authorization });
  reportStart(attempt, checked);
  if (replayOf(tool) === 'atomic') return executeAndAuthorize(attempt, checked, authorization);
  const recorded = agent.context.recorded?.({
    role: agent.name,
    step: agent.state.stepsTaken,
    index: call.index,
  });
  if (recorded !== undefined) {
    const { ok, output, untrusted = [], composed = false, addresses = [] } = recorded;
    const origin = { ...TRUSTED, untrusted, composed, addresses };
    return { ...finishCommand(attempt, tool, { ok, output, origin, authorization }), output }; // it was recorded as an observation
  }
  const known = await guardReplay(agent, stage, checked, call.callId, run, authorization.permission);
  if (known !== null) return finishCommand(attempt, tool, { ...known, authorization });
  return executeAndAuthorize(attempt, checked, authorization);
}

/** Executes the tool, then authorizes the files that it has read and changed. @throws The errors of `runOnce`. */
async function executeAndAuthorize(
  attempt: Attempt,
  checked: Checked,
  before: Authorization,
): Promise<Finished> {
  const { agent, run } = attempt;
  const { callId } = attempt.call;
  const { tool } = checked;
  const files = agent.context.workspace.stage();
  let origin: Origin = TRUSTED;
  try {
    const call = { checked, callId, files, run, approvedTarget: before.target };
    const executed = await execute(agent, { ...call, shownFiles: attempt.shownFiles });
    const { ok, output, correction, changes, pages, touched, warned } = executed;
    origin = executed.origin;
    const keeps = ok && !isParallelSafe(tool);
    const done = { files, touched, keeps, before };
    const authorization = judgesFiles(agent)
      ? await authorizeChanges(agent, checked, callId, run, done)
      : before;
    const { refusal } = authorization;
    // The changes are dropped, and made again with the arguments of the user.
    if (authorization.edited !== undefined)
      return await runEdited(attempt, authorization.edited, authorization);
    // When it is refused, the model does not receive what was read.
    if (refusal !== null)
      return finishCommand(attempt, tool, { ...REFUSED_RESULT, output: refusal, authorization });
    const stored = keeps ? changes : null;
    const result = finishCommand(attempt, tool, {
      ok,
      output,
      correction,
      origin,
      pages,
      authorization,
      changes: stored,
    });
    if (touched.read.length + warned.length > 0) {
      const seeing = { files, touched, ok, args: checked.command.args, output: result.output, warned };
      result.seen = await seenBy(seeing);
    }
    return result;
  } catch (error) {
    if (isThrownOn(error, run)) throw error;
    const output = describeFailure(error);
    return finishCommand(attempt, tool, { ok: false, output, origin, authorization: before });
  }
}

/** Emits the start of a command, once. */
function reportStart(attempt: Attempt, { tool, input }: Checked): void {
  const { agent, call, hasStarted } = attempt;
  const { name, args } = call.command;
  const { callId } = call;
  if (!hasStarted)
    agent.context.emit({
      type: 'command-start',
      role: agent.name,
      callId,
      name,
      args,
      activity: commandActivity(tool, input),
    });
  attempt.hasStarted = true;
}

/** The outcome of an attempt, always with the origin of its output: a result without labels would be trusted. */
interface Outcome {
  ok: boolean;
  output: unknown;
  origin: Origin;
  authorization: Authorization;
  correction?: Correction | null;
  changes?: Changes | null;
  pages?: Finished['pages'];
}

/** A refusal, which the library words. */
const REFUSED_RESULT = { ok: false, origin: TRUSTED } as const;

/** Returns the result of an attempt, with its output as the model reads it. */
function finishCommand({ agent, call, startedAt, note }: Attempt, tool: Tool, outcome: Outcome): Finished {
  const { ok, origin } = outcome;
  const observation = observationOf(agent, tool, outcome.output, origin.untrusted.length > 0);
  const stops = !ok && tool.onFailure !== 'continue';
  return finished(call, startedAt, { ...outcome, output: sections(observation, note), stops });
}

/** Returns a result in which everything that is not given is empty. */
function finished(
  call: Call,
  startedAt: number,
  given: Pick<Finished, 'ok' | 'output' | 'stops'> & Partial<Finished & Pick<Outcome, 'origin'>>,
): Finished {
  const { ok, output, stops, authorization = null, correction = null, changes = null, pages = [] } = given;
  const { untrusted, composed, addresses, private: read } = given.origin ?? TRUSTED;
  return {
    call,
    startedAt,
    ok,
    output,
    stops,
    authorization,
    correction,
    changes,
    pages,
    seen: {},
    untrusted,
    composed,
    addresses,
    private: read,
  };
}
