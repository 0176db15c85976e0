import type { Command } from '../../core/human.js';
import { groupOf, type Tool } from '../../core/tool.js';
import type { Agent } from '../runtime/agent.js';
import { isParallelSafe, mayActOutside, replayOf } from './tool-effects.js';
import { isAllowed } from './authorize.js';
import { countWork } from './check-claims.js';
import { notRun } from './format-commands.js';
import { runCommand, type Finished } from './run-command.js';
import { withSeen } from './seen-files.js';
import { MAX_SOURCES } from '../../core/sources.js';
import { addSecrets, addSources } from '../runtime/state.js';
import { recordCommand } from '../runtime/facts.js';
import { completeStep } from '../runtime/steps.js';
import type { ActStage, Attempt, Change, CommandResult } from '../runtime/turn.js';

/**
 * Runs the commands of a reply that have no result yet, in order. What each has changed is logged or committed, and the last commit stores
 * all of it. The first failure stops
 * the rest, unless its tool allows to continue: later commands assume that it succeeded. Adjacent commands whose tools are marked
 * `parallel` run at the same time and are committed together. The last commit also ends the step.
 */
export async function runCommands(agent: Agent, stage: ActStage): Promise<void> {
  const { run } = agent;
  const { inTurn = (job) => job() } = agent.context;
  const { id, step } = agent.turn();
  while (stage.results.length < stage.commands.length && !stage.isStopped) {
    run.signal.throwIfAborted();
    const running: Promise<Finished>[] = [];
    let index = stage.results.length;
    for (const command of nextCommands(agent, stage)) {
      running.push(runCommand(agent, stage, { command, callId: `${id}.${step}.${index}`, index }, run));
      index += 1;
    }
    const finished = await awaitAll(running);
    await inTurn(() => storeResults(agent, stage, finished));
  }
}

/** Logs or commits the results of commands. */
async function storeResults(agent: Agent, stage: ActStage, finished: readonly Finished[]): Promise<void> {
  const now = agent.context.runtime.now();
  for (const each of finished) record(agent, stage, each, now);
  const isStopped = stopAfterFailure(stage, finished);
  if (isStopped || stage.results.length === stage.commands.length) {
    completeStep(agent, stage);
    await agent.commit();
  } else if (finished.every(({ call }) => isAtomic(agent, call.command)) && !mayTakeLong(agent, stage))
    await agent.log('command');
  else await agent.commit();
}

/** Returns whether a command has no effect outside of the session: it may run again when its tab is killed. */
function isAtomic({ registry }: Agent, { name }: Command): boolean {
  const tool = registry.get(name);
  return tool === undefined || replayOf(tool) === 'atomic';
}

/** Returns whether the next command may take long, so that results should not wait for it. Such a tool sets its own time limit. */
function mayTakeLong({ registry }: Agent, { commands, results }: ActStage): boolean {
  return registry.get(commands[results.length]?.name ?? '')?.timeoutMs !== undefined;
}

/** Returns the next command, or the next ones that may run in parallel. */
function nextCommands(agent: Agent, { commands, results }: ActStage): Command[] {
  const rest = commands.slice(results.length);
  if (rest.length === 1) return rest;
  const end = rest.findIndex((command) => !mayRunInParallel(agent, command));
  return rest.slice(0, Math.max(1, end < 0 ? rest.length : end));
}

function mayRunInParallel(agent: Agent, command: Command): boolean {
  const tool = agent.registry.get(command.name);
  if (tool === undefined || !isParallelSafe(tool)) return false; // most tools are not: skips a second check of the arguments
  const resolved = agent.registry.resolve(command);
  return resolved.ok && isAllowed(agent, { tool, command, input: resolved.input });
}

/** Adds the result of a command and its changes to the next commit. */
export function record(agent: Agent, stage: ActStage, finished: Finished, now: number): void {
  const { journal, name: role, state } = agent;
  const { call, ok, output, changes, untrusted, authorization } = finished;
  const { callId } = call;
  const { name, args } = call.command;
  const result: CommandResult = { name, ok, output };
  if (untrusted.length > 0) result.from = [...new Set(untrusted)].slice(0, MAX_SOURCES);
  if (untrusted.length > 0 && finished.composed) result.composed = true;
  if (finished.addresses.length > 0) result.addresses = finished.addresses;
  if (finished.correction !== null) result.correction = finished.correction;
  stage.results.push(result);
  const tool = agent.registry.get(name);
  const permission = authorization?.permission ?? attemptOf(stage, callId)?.permission ?? null;
  const isEdit = tool?.staged === true && permission === null;
  recordCommand(agent, { name, ok, isEdit, pages: finished.pages });
  if (ok) countWork(agent, tool?.name ?? name);
  const durationMs = Math.max(0, now - finished.startedAt);
  agent.turn().trace.commands.push({
    callId,
    name,
    args,
    ok,
    durationMs,
    ...(tool?.effect === 'egress-write' && { isOutside: true }),
    approvedBy: permission?.decision === 'ask' ? 'user' : 'policy',
    ...(permission === null ? {} : { permission }),
  });
  if (changes !== null) {
    const { files, group, state: toolState } = changes;
    // Most tools have no state and need no copy of it the next time.
    if (Object.hasOwn(state.tools, group) || Object.keys(toolState).length > 0)
      state.tools[group] = toolState;
    journal.add(files.changes({ by: 'agent', id: callId, name, role }));
    journal.then(() => files.apply());
    for (const effect of files.effects()) journal.tell({ type: 'file-changed', ...effect, by: 'agent' });
  }
  const changed = ok ? surerChange(stage.changed, changeOf(agent, finished)) : undefined;
  if (changed !== undefined) stage.changed = changed;
  if (Object.keys(finished.seen).length > 0) state.seenFiles = withSeen(state.seenFiles ?? {}, finished.seen);
  addSources(state, untrusted);
  if (finished.private !== null) addSecrets(state, secretsOf(finished, tool), finished.private);
  for (const page of ok ? finished.pages : []) journal.tell({ type: 'page-changed', role, ...page });
  journal.tell({ type: 'command-end', role, callId, name, args, output, ok, durationMs });
}

/** Returns the attempt of a command that was interrupted. */
function attemptOf({ attempt }: ActStage, callId: string): Attempt | null {
  return attempt?.callId === callId ? attempt : null;
}

/** Returns the names of the private data in a result: files, else the tool. */
function secretsOf({ call, seen }: Finished, tool: Tool | undefined): string[] {
  const { path } = call.command.args;
  const paths = typeof path === 'string' ? [path] : Object.keys(seen);
  if (paths.length > 0) return paths;
  const name = tool?.name ?? call.command.name;
  if (tool?.service !== undefined) return [`answers of ${groupOf(name)}`];
  return [tool?.ofApplication === true ? `data of this application (${name})` : `the result of ${name}`];
}

/** Stops the rest after a failure or an end of the turn, and names the commands that are not run. Returns whether it stopped them. */
function stopAfterFailure(stage: ActStage, finished: readonly Finished[]): boolean {
  const { commands, results } = stage;
  const isEnded = stage.ending?.kind === 'ended';
  const failure = finished.find(({ stops }) => stops);
  stage.attempt = null;
  stage.isStopped = isEnded || failure !== undefined;
  const left = commands.length - results.length;
  if (failure !== undefined && left > 0 && !isEnded) {
    const reason = `${failure.call.command.name} failed`;
    stage.notRun = [notRun(commands.slice(-left), reason), ...(stage.notRun ?? [])];
  }
  return stage.isStopped;
}

/** Returns all results. A failure is thrown only after the others have ended too. */
async function awaitAll<Value>(running: readonly Promise<Value>[]): Promise<Value[]> {
  if (running.length > 1) await Promise.allSettled(running);
  const values: Value[] = [];
  for (const each of running) values.push(await each);
  return values;
}

/** Returns what a successful command changed that other commands can observe: files, the page, the plan, the user's answers. */
function changeOf(agent: Agent, { call, changes, pages }: Finished): Change | undefined {
  const { name } = call.command;
  if (changes !== null && changes.files.effects().length > 0) return 'surely';
  if (pages.length > 0 || agent.registry.get(name)?.hints?.changes === 'always') return 'surely';
  return mayActOutside(agent, name) ? 'maybe' : undefined;
}

/** Returns the surer of two changes. */
function surerChange(before: Change | undefined, next: Change | undefined): Change | undefined {
  return before === 'surely' ? before : (next ?? before);
}
