/** The end of a turn that the user has given up with another request: nothing that its open reply did or did not do is lost. */
import { toRoleZeroError } from '../../core/error.js';
import { onAbort } from '../../core/on-abort.js';
import { AIMessage, RunCommand, UserMessage } from '../../core/message.js';
import type { Command } from '../../core/human.js';
import type { Tool } from '../../core/tool.js';
import { thoughtOf } from '../stream/thought-text.js';
import type { Agent } from '../runtime/agent.js';
import type { Run } from '../runtime/outcome.js';
import { completeStep, endStep, traceRest } from '../runtime/steps.js';
import type { ActStage } from '../runtime/turn.js';
import { originOfResult, TRUSTED, type Origin, describeFailure, observationOf } from './execute.js';
import { notRun } from './format-commands.js';
import { UNKNOWN } from './replay-guard.js';
import { isHarmlessRead, replayOf } from './tool-effects.js';
import { record } from './run-commands.js';
import type { Caller } from './tool-call.js';

/** In ms. After that, it is not known whether the effect took place. */
const RECONCILE_MS = 30_000;
const REASON = "the user's next request came first";

/** What became of a command that was interrupted. */
export interface InterruptedResult {
  ok: boolean;
  output: unknown;
  origin: Origin;
}

/** Ends an interrupted call of a tool of the library; null when it has done nothing. */
type CloseCall = (caller: Caller, callId: string) => Promise<InterruptedResult | null>;

const closers = new WeakMap<Tool, CloseCall>();

/** Sets how interrupted calls of a tool of the library are ended. Returns the tool. */
export function withCloseCall(tool: Tool, close: CloseCall): Tool {
  closers.set(tool, close);
  return tool;
}

/**
 * Gives each command of the open reply of a turn its observation, which the model reads before the next request: its result, what
 * `reconcile` returns, that it is not known whether it took effect, or that it was not run. The step gets its record, as any other.
 *
 * @throws The reason of a stop. The turn is then closed when the session continues.
 */
export async function closeTurn(agent: Agent, run: Run): Promise<void> {
  agent.enterRun(run);
  const { stage, replies, step } = agent.turn();
  const unused = replies[`regenerate:${step}`] ?? replies[`think:${step}`];
  if (stage.name === 'act') await closeCommands(agent, stage, run);
  else if (stage.name === 'think' && unused !== undefined) closeUnusedReply(agent, unused.text);
  else traceRest(agent);
}

async function closeCommands(agent: Agent, stage: ActStage, run: Run): Promise<void> {
  const { id, step } = agent.turn();
  const index = stage.results.length;
  const command = stage.commands[index];
  const callId = `${id}.${step}.${index}`;
  if (command !== undefined && stage.attempt?.callId === callId) {
    const startedAt = agent.context.runtime.now();
    const result = await interruptedResult(agent, command, callId, run);
    if (result !== null) {
      const { ok, origin, output } = result;
      const call = { command, callId, index };
      const about = {
        startedAt,
        stops: false,
        authorization: null,
        correction: null,
        changes: null,
        pages: [],
        seen: {},
      };
      const observation = observationOf(
        agent,
        { ...agent.registry.get(command.name), name: command.name },
        output,
      );
      record(agent, stage, { ...origin, ...about, call, ok, output: observation }, startedAt);
    }
  }
  const left = stage.commands.slice(stage.results.length);
  if (left.length > 0) stage.notRun = [notRun(left, REASON), ...(stage.notRun ?? [])];
  completeStep(agent, { ...stage, ending: null });
}

/** Returns what is known of a command whose effect outside of the session was started; null when it has none. */
async function interruptedResult(
  agent: Agent,
  command: Command,
  callId: string,
  run: Run,
): Promise<InterruptedResult | null> {
  const unknown: InterruptedResult = { ok: false, output: UNKNOWN, origin: TRUSTED };
  const resolved = agent.registry.resolve(command);
  if (!resolved.ok) return unknown;
  const { tool, input } = resolved;
  const close = closers.get(tool);
  if (close !== undefined) return close({ agent, run }, callId);
  if (isHarmlessRead(tool)) return null;
  if (replayOf(tool) !== 'reconcile' || tool.reconcile === undefined) return unknown;
  try {
    const found = await withinTime(tool.reconcile(callId, input), run);
    if (found === null) return null;
    const checked = { tool, command: { name: tool.name, args: command.args }, input };
    return { ok: true, output: found.output, origin: originOfResult(agent, checked, found.output) };
  } catch (error) {
    if (run.signal.aborted) throw error;
    agent.warn(`${tool.name} could not say whether its interrupted call took effect.`, error);
    return { ...unknown, output: `${UNKNOWN} (Asking for it failed: ${describeFailure(error)})` };
  }
}

/** The next request of the user must not wait for another side that does not answer. */
async function withinTime<Value>(answer: Promise<Value>, { signal }: Run): Promise<Value> {
  answer.catch(() => {}); // it may fail after the limit
  const limit = AbortSignal.any([signal, AbortSignal.timeout(RECONCILE_MS)]);
  let forget: () => void = () => {};
  try {
    return await Promise.race([
      answer,
      new Promise<never>(
        (_, reject) => (forget = onAbort(limit, () => reject(toRoleZeroError(limit.reason)))),
      ),
    ]);
  } finally {
    forget();
  }
}

/** The model remembers its reply, which was not used, and reads so. */
function closeUnusedReply(agent: Agent, text: string): void {
  const turn = agent.turn();
  const metadata = { thought: thoughtOf(text, 'think') };
  const reply = agent.newMessage(AIMessage, { content: text, causeBy: RunCommand, metadata });
  turn.trace.replyId = agent.remember(reply, true).id;
  const content = `Nothing of your last reply was run, because ${REASON}. Give its commands again if they are still right.`;
  endStep(agent, agent.remember(agent.newMessage(UserMessage, { content, causeBy: RunCommand })), null);
}
