import { describe, isAbort, RoleZeroError } from '../base/error.js';
import { fingerprint } from '../base/fingerprint.js';
import type { Command } from '../base/human.js';
import type { StagedFiles } from '../base/files.js';
import type { JsonValue } from '../base/json.js';
import type { OnAmbiguous, Tool, ToolQuestion } from '../base/tool.js';
import type { ToolRegistry } from '../tools/registry.js';
import { headAndTail } from './conversation.js';
import type { AgentRuntime } from './agent-runtime.js';
import { askModel } from './ask-model.js';
import { askPermission, isYes } from './ask-user.js';
import { withoutThinking } from '../agent/parse/reply.js';
import { CHARACTERS_PER_TOKEN } from './token-count.js';
import { Suspension, type Run } from './outcome.js';
import type { Checked, Gate, Leave } from './gate.js';
import { onAmbiguousOf, replayOf, runsBeside } from './replay.js';
import { addSources, MAX_SOURCES } from './state.js';
import type { ActStage, Attempt, CommandResult } from './turn-state.js';
import { callTool, type OwnOfCall } from './tool-call.js';

/** Maximum characters of one observation; the middle of a longer one is left out. */
const MAX_OBSERVATION = 32_000;
/** Share of the window that one observation may take. */
const OBSERVATION_SHARE = 0.2;
/** Maximum characters of the name of an untrusted source. */
const MAX_SOURCE = 200;

/** What a runner needs besides its agent. */
export interface CommandRunnerOptions {
  registry: ToolRegistry;
  gate: Gate;
  /** Commands whose output follows `executed:` without a space. */
  special: readonly string[];
}

/** The result of one command before its commit. */
interface Done {
  command: Command;
  callId: string;
  ok: boolean;
  output: string;
  startedAt: number;
  /** The commands after it are not run. */
  stops: boolean;
  leave: Leave | null;
  changes: { files: StagedFiles; group: string; state: Record<string, JsonValue> } | null;
  pages: { url: string; title: string }[];
  /** Untrusted sources of its output. */
  untrusted: string[];
  /** See `CommandResult`. */
  composed: boolean;
  private: boolean;
}

/**
 * Runs the commands of a reply in order, each in one commit with everything it changed. The first failure stops the rest, unless its tool
 * allows to continue: later commands assume that it succeeded. Adjacent commands whose tools are marked `parallel` run at the same time
 * and are committed together.
 */
export class CommandRunner {
  private readonly registry: ToolRegistry;
  private readonly gate: Gate;
  private readonly special: readonly string[];
  /** The last question of a command to the model. */
  #asking: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly agent: AgentRuntime,
    { registry, gate, special }: CommandRunnerOptions,
  ) {
    this.registry = registry;
    this.gate = gate;
    this.special = special;
  }

  /**
   * Runs the commands that are left. Call ids start with `id`.
   *
   * @param complete Called when no command is left to run. Its changes are in the same commit as the last result.
   */
  async run(batch: ActStage, id: string, run: Run, complete: () => void): Promise<void> {
    while (batch.results.length < batch.commands.length && !batch.isStopped) {
      run.signal.throwIfAborted();
      const first = batch.results.length;
      const running = this.nextCommands(batch).map((command, offset) => {
        const index = first + offset;
        return this.runOne(batch, command, { id: `${id}.${index}`, index }, run);
      });
      await this.keep(batch, await allOf(running), complete);
    }
  }

  /** Returns the next command, or the next ones that may run in parallel. */
  private nextCommands(batch: ActStage): Command[] {
    const left = batch.commands.slice(batch.results.length);
    if (left.length === 1) return left;
    const end = left.findIndex((command) => !this.runsBeside(command));
    return left.slice(0, Math.max(1, end < 0 ? left.length : end));
  }

  private runsBeside(command: Command): boolean {
    const tool = this.registry.get(command.name);
    if (tool === undefined || !runsBeside(tool)) return false; // most tools are not: skips a second check of the arguments
    const resolved = this.registry.resolve(command);
    return resolved.ok && this.gate.allows({ tool, command, input: resolved.input });
  }

  private async runOne(
    batch: ActStage,
    command: Command,
    { id: callId, index }: { id: string; index: number },
    run: Run,
  ): Promise<Done> {
    const { context } = this.agent;
    const done: Done = {
      command,
      callId,
      ok: false,
      output: '',
      startedAt: context.runtime.now(),
      stops: true,
      leave: null,
      changes: null,
      pages: [],
      untrusted: [],
      composed: false,
      private: false,
    };
    const failed = (output: string): Done => {
      done.output = output;
      return done;
    };
    const succeeded = (output: string): Done => {
      done.ok = true;
      done.stops = false;
      done.output = output;
      return done;
    };
    const resolved = this.registry.resolve(command);
    if (!resolved.ok) {
      if (resolved.reason === 'input') return failed(`Command ${command.name} executed: ${resolved.advice}`);
      this.agent.state.notes.push(resolved.advice);
      return failed(`Command ${command.name} not found.`);
    }
    const { tool, input } = resolved;
    done.stops = tool.onFailure !== 'continue';
    const checked: Checked = { tool, command: { name: tool.name, args: command.args }, input };
    const files = context.workspace.stage();
    const before = await this.gate.before(checked, callId, run);
    done.leave = before;
    if (before.refusal !== null) return failed(this.observation(tool.name, before.refusal));
    context.emit({
      type: 'command-start',
      role: this.agent.name,
      callId,
      name: command.name,
      args: command.args,
    });
    const isAtomic = replayOf(tool) === 'atomic';
    const place = { role: this.agent.name, step: this.agent.state.stepsTaken, index };
    const recorded = isAtomic ? undefined : context.recorded?.(place);
    if (recorded !== undefined) {
      done.untrusted = recorded.untrusted ?? [];
      done.composed = recorded.composed === true;
      return recorded.ok ? succeeded(recorded.output) : failed(recorded.output);
    }
    const beside = runsBeside(tool); // it may run twice, so no attempt is stored before
    const known = beside || isAtomic ? null : await this.keepIntent(batch, tool, input, callId, run);
    if (known !== null) {
      const output = this.observation(tool.name, known.output);
      return known.ok ? succeeded(output) : failed(output);
    }
    const { untrusted = [], private: secret = false } = this.agent.state;
    files.mark(untrusted, secret ? 'secret' : 'open');
    files.guard(this.gate.guard(checked));
    const point = tool.name.indexOf('.');
    const group = point < 0 ? tool.name : tool.name.slice(0, point);
    const { tools } = this.agent.state;
    const state = Object.hasOwn(tools, group) ? structuredClone(tools[group] ?? {}) : {}; // a group may be named `constructor`
    try {
      const own: OwnOfCall = {
        role: this.agent.name,
        callId,
        files,
        state,
        outputLimit: this.outputLimit(),
        untrusted: (source) => void done.untrusted.push(source.slice(0, MAX_SOURCE)),
        private: () => void (done.private = true),
        pageChanged: (url, title) => void done.pages.push({ url, title }),
        ask: (question, signal) => this.ask({ ...run, signal }, callId, question),
      };
      const { ok, output } = await outcomeOf(() => callTool(tool, input, own, context, run.signal), run);
      // The message of a failure may contain untrusted content too.
      const touched = files.touched();
      const isBrought = done.untrusted.length > 0 || this.gate.bringsUntrusted(checked);
      done.composed = !isBrought || tool.composes === true;
      done.untrusted.push(...touched.untrusted);
      if (isBrought && done.untrusted.length === 0) done.untrusted.push(tool.name);
      done.private ||= touched.private;
      files.mark([...untrusted, ...done.untrusted], secret || done.private ? 'secret' : 'open');
      const keeps = ok && !beside;
      done.leave = await this.gate.after(checked, callId, run, files, { keeps, before });
      if (done.leave.refusal !== null) {
        done.untrusted = []; // the model does not receive what was read
        done.private = false;
        return failed(this.observation(tool.name, done.leave.refusal));
      }
      if (keeps) done.changes = { files, group, state };
      return (ok ? succeeded : failed)(this.observation(tool.name, output));
    } catch (error) {
      if (mustPropagate(error, run)) throw error;
      return failed(this.observation(tool.name, explain(error)));
    }
  }

  /** Commits the results of commands together with their changes. */
  private async keep(batch: ActStage, done: readonly Done[], complete: () => void): Promise<void> {
    const { journal } = this.agent;
    const now = this.agent.context.runtime.now();
    for (const each of done) {
      const { command, callId, ok, output, changes, untrusted } = each;
      const { name, args } = command;
      const permission = each.leave?.permission ?? null;
      const durationMs = Math.max(0, now - each.startedAt);
      const result: CommandResult = { name, ok, output };
      if (untrusted.length > 0) result.from = [...new Set(untrusted)].slice(0, MAX_SOURCES);
      if (untrusted.length > 0 && each.composed) result.composed = true;
      batch.results.push(result);
      this.agent.turn().trace.commands.push({
        callId,
        name,
        args,
        ok,
        durationMs,
        approvedBy: permission?.decision === 'ask' ? 'person' : 'policy',
        ...(permission === null ? {} : { permission }),
      });
      if (changes !== null) {
        const { tools } = this.agent.state;
        // Most tools have no state and need no copy of it the next time.
        if (Object.hasOwn(tools, changes.group) || Object.keys(changes.state).length > 0)
          tools[changes.group] = changes.state;
        const { name: role } = this.agent;
        journal.add(changes.files.changes({ by: 'agent', id: callId, name, role }));
        journal.then(() => changes.files.apply());
        for (const effect of changes.files.effects())
          journal.tell({ type: 'file-changed', ...effect, by: 'agent' });
      }
      addSources(this.agent.state, untrusted);
      if (each.private) this.agent.state.private = true;
      for (const page of ok ? each.pages : [])
        journal.tell({ type: 'page-changed', role: this.agent.name, ...page });
      journal.tell({
        type: 'command-end',
        role: this.agent.name,
        callId,
        name,
        args,
        output,
        ok,
        durationMs,
      });
    }
    batch.attempt = null;
    const isEnded = batch.ending?.kind === 'ended';
    batch.isStopped = isEnded || done.some(({ stops }) => stops);
    const left = batch.commands.length - batch.results.length;
    if (batch.isStopped && left > 0 && !isEnded) {
      const failed = done.find(({ stops }) => stops)?.command.name ?? '';
      this.agent.state.notes.push(
        `${failed} failed; what you gave after it was not run (${left} of ${batch.commands.length} commands).`,
      );
    }
    if (batch.isStopped || left === 0) complete();
    await this.agent.commit();
  }

  /**
   * Stores the attempt before an effect that leaves the session. An attempt that is stored already was interrupted, and whether the effect
   * took place is unknown: the `replay` option of the tool decides.
   *
   * @returns The result to use in place of running the command; null to run it.
   */
  private async keepIntent(
    batch: ActStage,
    tool: Tool,
    input: unknown,
    callId: string,
    run: Run,
  ): Promise<{ ok: boolean; output: unknown } | null> {
    const replay = replayOf(tool);
    if (batch.attempt?.callId !== callId) {
      batch.attempt = { callId, retries: 0 };
      await this.agent.commit();
      return null;
    }
    if (replay === 'idempotent' || replay === 'keyed') return null;
    if (replay === 'reconcile' && tool.reconcile !== undefined) {
      const found = await tool.reconcile(callId, input);
      return found === null ? null : { ok: true, output: found.output };
    }
    switch (await this.ambiguous(batch.attempt, tool, run)) {
      case 'retry':
        return null;
      case 'skip':
        return {
          ok: true,
          output:
            'It was interrupted before; it is not known whether it took effect, and it was not run again.',
        };
      case 'fail':
        return {
          ok: false,
          output:
            'It was interrupted before, and it is not known whether it took effect. Check before you run it again.',
        };
    }
  }

  private async ambiguous(attempt: Attempt, tool: Tool, run: Run): Promise<Exclude<OnAmbiguous, 'ask'>> {
    const policy = onAmbiguousOf(tool);
    if (policy !== 'ask') return policy;
    const { callId, retries } = attempt;
    const key = `again:${callId}${retries === 0 ? '' : `:${retries}`}`;
    const answer = await askPermission(this.agent, run, key, {
      kind: 'question',
      text: `${tool.name} was interrupted, and it is not known whether it took effect. Run it again?`,
      options: ['yes', 'no'],
    });
    if (answer === null || !isYes(answer)) return 'fail';
    attempt.retries += 1; // used up before the command runs: interrupted again, the user is asked again
    await this.agent.commit();
    return 'retry';
  }

  /** Answers a question of a command to the model, outside of the conversation. Parallel commands ask one after the other. */
  private async ask(
    run: Run,
    callId: string,
    { text, purpose = 'other', maxOutputTokens }: ToolQuestion,
  ): Promise<string> {
    const before = this.#asking;
    const reply = (async () => {
      await before.catch(() => {}); // its own command reports the error
      run.signal.throwIfAborted();
      return askModel(this.agent, run, {
        purpose,
        key: `tool:${callId}:${fingerprint(text, purpose)}`,
        text,
        apart: true,
        ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      });
    })();
    this.#asking = reply;
    return withoutThinking((await reply).text).trim();
  }

  /** Characters of one observation that leave room for others in the window of the model. */
  private outputLimit(): number {
    if (this.agent.isHuman) return MAX_OBSERVATION;
    const share = this.agent.model.contextWindow * CHARACTERS_PER_TOKEN * OBSERVATION_SHARE;
    return Math.min(MAX_OBSERVATION, Math.ceil(share));
  }

  private observation(name: string, output: unknown): string {
    const text = headAndTail(asText(output), this.outputLimit());
    if (this.special.includes(name)) return `Command ${name} executed:${text}`;
    return text === '' ? `Command ${name} executed` : `Command ${name} executed: ${text}`;
  }
}

/** Returns all results. A failure is thrown only after the others have ended too. */
async function allOf<Value>(running: readonly Promise<Value>[]): Promise<Value[]> {
  if (running.length > 1) await Promise.allSettled(running);
  return Promise.all(running);
}

/** Returns the output of a tool, or the description of its failure. */
async function outcomeOf(call: () => Promise<unknown>, run: Run): Promise<{ ok: boolean; output: unknown }> {
  try {
    return { ok: true, output: await call() };
  } catch (error) {
    if (mustPropagate(error, run)) throw error;
    return { ok: false, output: explain(error) };
  }
}

/** Returns whether an error ends the run: a stop, an open question, or an error of model or storage. */
function mustPropagate(error: unknown, run: Run): boolean {
  if (error instanceof Suspension || run.signal.aborted) return true;
  if (!(error instanceof RoleZeroError)) return isAbort(error) && run.signal.aborted;
  return /^(storage-|session-|model-|worker-)|^(budget|context-overflow|aborted)$/.test(error.code);
}

function explain(error: unknown): string {
  if (error instanceof RoleZeroError || !(error instanceof Error)) return describe(error);
  return error.message === '' ? error.name : `${error.name}: ${error.message}`;
}

function asText(output: unknown): string {
  if (output === undefined || output === null || output === false || output === '' || output === 0) return '';
  if (typeof output === 'string') return output;
  const text = stringify(output) ?? '';
  return text === '[]' || text === '{}' ? '' : text; // falsy in Python, where MetaGPT's tools come from
}

/** Returns undefined for values without a JSON form, such as functions. */
const stringify = JSON.stringify as (value: unknown) => string | undefined;
