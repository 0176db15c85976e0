import { describe, isAbort, RoleZeroError } from '../base/error.js';
import type { Command } from '../base/human.js';
import type { Effect, OnAmbiguous, Replay, Tool, ToolContext } from '../base/tool.js';
import type { ToolRegistry } from '../tools/registry.js';
import { headAndTail } from './conversation.js';
import type { RoleContext } from './context.js';
import { isYes, type Dialogue } from './dialogue.js';
import type { Journal } from './journal.js';
import { Suspension, type Run } from './outcome.js';
import { decide, type PolicyRule } from './policy.js';
import { resolvePath } from '../files/path.js';
import type { Batch, RoleState } from './state.js';

/** Milliseconds a command may take when its tool does not say. */
const DEFAULT_TIMEOUT = 60_000;
/** Characters of one observation; the middle of a longer one is left out. */
const MAX_OBSERVATION = 32_000;

/** What running commands needs of the role that gave them. */
export interface CommandRunnerHost {
  name: string;
  state(): RoleState;
  context(): RoleContext;
  journal(): Journal;
  commit(): Promise<void>;
  dialogue: Dialogue;
  /** Most characters of one observation that leave the model's window room for others. */
  observationLimit(): number;
  isSpecial(name: string): boolean;
  /** True when the role was told to stop by the command that just ran. */
  ended(): boolean;
  /** The last command of the batch has its result; what follows from it is kept in the same commit. */
  completed(batch: Batch): void;
}

/**
 * Runs the commands of a reply one after the other, each in one commit with everything it changed (architecture §5, spec 6.9).
 * The first that fails stops the rest: what follows was written in the belief that it would succeed.
 */
export class CommandRunner {
  constructor(
    private readonly registry: ToolRegistry,
    private readonly policy: readonly PolicyRule[],
    private readonly host: CommandRunnerHost,
  ) {}

  /** Runs what is left of the batch. `id` makes the call ids of this step unlike those of any other. */
  async run(batch: Batch, id: string, run: Run): Promise<void> {
    for (;;) {
      const index = batch.results.length;
      const command = batch.commands[index];
      if (command === undefined || batch.stopped) return;
      run.signal.throwIfAborted();
      await this.runOne(batch, command, `${id}.${index}`, run);
    }
  }

  private async runOne(batch: Batch, command: Command, callId: string, run: Run): Promise<void> {
    const resolved = this.registry.resolve(command);
    const journal = this.host.journal();
    const started = this.host.context().runtime.now();
    const finish = async (ok: boolean, output: string): Promise<void> => {
      batch.results.push({ name: command.name, ok, output });
      batch.intent = null;
      if (!ok || this.host.ended()) batch.stopped = true;
      if (batch.stopped || batch.results.length === batch.commands.length) this.host.completed(batch);
      journal.tell({
        type: 'command-end',
        role: this.host.name,
        callId,
        name: command.name,
        args: command.args,
        output,
        ok,
        durationMs: Math.max(0, this.host.context().runtime.now() - started),
      });
      await this.host.commit();
    };
    if (!resolved.ok) {
      if (resolved.reason === 'input')
        return finish(false, `Command ${command.name} executed: ${resolved.advice}`);
      this.host.state().notes.push(resolved.advice);
      return finish(false, `Command ${command.name} not found.`);
    }
    const { tool, input } = resolved;
    const refusal = await this.refusal(tool, { ...command, name: tool.name }, input, callId, run);
    if (refusal !== null) return finish(false, this.observation(tool.name, refusal));
    this.host.context().emit({
      type: 'command-start',
      role: this.host.name,
      callId,
      name: command.name,
      args: command.args,
    });
    const kept = await this.keepIntent(batch, tool, input, callId, run);
    if (kept !== null) return finish(kept.ok, this.observation(tool.name, kept.output));
    const stage = this.host.context().workspace.stage();
    const group = tool.name.split('.')[0] ?? tool.name;
    const toolState = structuredClone(this.host.state().tools[group] ?? {});
    let output: unknown;
    try {
      output = await this.call(tool, input, { stage, toolState, callId }, run);
    } catch (error) {
      if (mustPropagate(error, run)) throw error;
      return finish(false, this.observation(tool.name, explain(error)));
    }
    this.host.state().tools[group] = toolState;
    journal.add(stage.changes());
    journal.then(() => stage.apply());
    for (const effect of stage.effects()) journal.tell({ type: 'file-changed', ...effect, by: 'agent' });
    return finish(true, this.observation(tool.name, asText(output)));
  }

  /** Why the command may not run, or null when it may. */
  private async refusal(
    tool: Tool,
    command: Command,
    input: unknown,
    callId: string,
    run: Run,
  ): Promise<string | null> {
    const decision = decide(command, pathOf(input), this.policy);
    if (decision === 'allow') return null;
    if (decision === 'deny')
      return `Refused: a rule of this application forbids ${tool.name} here. Find another way.`;
    const answer = await this.host.dialogue.ask(run, `approve:${callId}`, {
      kind: 'approval',
      text: `May ${this.host.name} run ${tool.name}?`,
      options: ['yes', 'no'],
      command,
    });
    if (answer === null)
      return `Refused: ${tool.name} needs the person's approval and nobody is there to give it.`;
    return isYes(answer)
      ? null
      : `Refused by the person: ${tool.name} was not run. Ask what they want instead.`;
  }

  /**
   * Before an effect that leaves the session is tried, that is written down. Found written down already, the worker died in
   * between and nobody knows whether it happened: the tool's `replay` decides. Null when the command is to be run.
   */
  private async keepIntent(
    batch: Batch,
    tool: Tool,
    input: unknown,
    callId: string,
    run: Run,
  ): Promise<{ ok: boolean; output: unknown } | null> {
    const replay = replayOf(tool);
    if (replay === 'atomic') return null;
    if (batch.intent !== callId) {
      batch.intent = callId;
      await this.host.commit();
      return null;
    }
    if (replay === 'idempotent' || replay === 'keyed') return null;
    if (replay === 'reconcile' && tool.reconcile !== undefined) {
      const found = await tool.reconcile(callId, input);
      return found === null ? null : { ok: true, output: found.output };
    }
    switch (await this.ambiguous(tool, callId, run)) {
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

  private async ambiguous(tool: Tool, callId: string, run: Run): Promise<Exclude<OnAmbiguous, 'ask'>> {
    const policy = onAmbiguousOf(tool);
    if (policy !== 'ask') return policy;
    const answer = await this.host.dialogue.ask(run, `again:${callId}`, {
      kind: 'question',
      text: `${tool.name} was interrupted, and it is not known whether it took effect. Run it again?`,
      options: ['yes', 'no'],
    });
    return answer !== null && isYes(answer) ? 'retry' : 'fail';
  }

  /** The tool itself, with its time limit and the person's stop. */
  private async call(
    tool: Tool,
    input: unknown,
    own: { stage: ToolContext['files']; toolState: ToolContext['state']; callId: string },
    run: Run,
  ): Promise<unknown> {
    const limit = tool.timeoutMs ?? DEFAULT_TIMEOUT;
    const deadline = new AbortController();
    const signal = AbortSignal.any([run.signal, deadline.signal]);
    const expired = new RoleZeroError(
      'tool-timeout',
      `${tool.name} was stopped after ${limit / 1000} seconds without finishing; nothing it changed was kept. Try a smaller step.`,
      { tool: tool.name, timeoutMs: limit },
    );
    const timer = Number.isFinite(limit) ? setTimeout(() => deadline.abort(expired), limit) : undefined;
    const { name } = this.host;
    const context = this.host.context();
    try {
      const stopped = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      });
      stopped.catch(() => {}); // only the race below listens
      const result = (async () =>
        tool.run(input, {
          signal,
          files: own.stage,
          session: { name: context.session, role: name },
          callId: own.callId,
          state: own.toolState,
          output: (text) =>
            context.emit({ type: 'command-output-delta', role: name, callId: own.callId, text }),
        }))();
      result.catch(() => {}); // a tool that fails after it was given up has nobody to tell
      return await Promise.race([result, stopped]);
    } finally {
      clearTimeout(timer);
    }
  }

  private observation(name: string, output: unknown): string {
    const text = headAndTail(asText(output), Math.min(MAX_OBSERVATION, this.host.observationLimit()));
    if (this.host.isSpecial(name)) return `Command ${name} executed:${text}`;
    return text === '' ? `Command ${name} executed` : `Command ${name} executed: ${text}`;
  }
}

/** Where a tool's effect stands after a crash; what stays inside the session is atomic (architecture §5). */
function replayOf(tool: { effect?: Effect; replay?: Replay }): Replay {
  const inside = tool.effect === undefined || tool.effect === 'pure' || tool.effect === 'session';
  return tool.replay ?? (inside ? 'atomic' : tool.effect === 'egress-read' ? 'idempotent' : 'unsafe');
}

function onAmbiguousOf(tool: object): OnAmbiguous {
  return 'onAmbiguous' in tool ? (tool.onAmbiguous as OnAmbiguous) : 'ask';
}

/** What is not the tool's own failure leaves the run: the stop, an open question, faults of model and storage. */
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
  return typeof output === 'string' ? output : (stringify(output) ?? '');
}

/** Undefined for what JSON cannot say, a function for example. */
const stringify = JSON.stringify as (value: unknown) => string | undefined;

/** The file a command is about, as a rule sees it: absolute, without detours. */
function pathOf(input: unknown): string | null {
  if (typeof input !== 'object' || input === null || !('path' in input) || typeof input.path !== 'string')
    return null;
  try {
    return resolvePath(input.path);
  } catch {
    return null; // outside the workspace: the tool itself refuses it
  }
}
