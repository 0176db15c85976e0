/** Turns of an agent from outside: start or resume one, and end it with a commit. How a turn is worked on is up to `AgentBehavior.react`. */
import { toRoleZeroError } from '../../core/error.js';
import { messageFromRecord, Message, UserMessage, UserRequirement } from '../../core/message.js';
import { addressedTo, observe } from './publish.js';
import type { AgentRuntime } from './agent-runtime.js';
import { dropQuestion } from './ask-user.js';
import { beginRecord } from './facts.js';
import { failed, isSessionLeft, outcomeOf, type Outcome, type Run } from './outcome.js';
import { newTurn } from './turn.js';

/**
 * Puts a message into the inbox and works on it. A string counts as addressed to the agent.
 *
 * @returns The published message; null when the message was known already or the turn is not finished: see `outcome`.
 * @throws RoleZeroError the reason of a failure. The state is stored before.
 */
export async function runWith(
  agent: AgentRuntime,
  input?: string | readonly string[] | Message,
  signal = new AbortController().signal,
): Promise<Message | null> {
  const message = typeof input === 'string' || input instanceof Message ? input : input?.join('\n');
  if (message instanceof Message) agent.putMessage(addressedTo(agent, message));
  else if (message !== undefined && message !== '') {
    const about = { content: message, causeBy: UserRequirement, sendTo: [agent.name] };
    agent.putMessage(agent.newMessage(UserMessage, about));
  }
  const outcome = await work(agent, { id: agent.context.runtime.newId(), signal });
  if (outcome?.error) throw outcome.error;
  return outcome?.message ?? null;
}

/**
 * Resumes an interrupted turn, or starts one for the messages in the inbox. Never throws: failures are outcomes too, and the state is
 * stored first. Returns null when there was nothing to do. While the agent is working, it waits for the end of that work, so an action
 * must not call it on its own role.
 */
export async function work(agent: AgentRuntime, run: Run): Promise<Outcome | null> {
  while (agent.working !== null) await agent.working;
  agent.working = workAlone(agent, run);
  try {
    return await agent.working;
  } finally {
    agent.working = null;
  }
}

async function workAlone(agent: AgentRuntime, run: Run): Promise<Outcome | null> {
  try {
    if (agent.state.turn?.isGivenUp) await closeGivenUpTurn(agent, run);
    if (agent.state.turn !== null) observeAgain(agent);
    else if (!startTurn(agent)) {
      await agent.commit();
      return null;
    }
    run.signal.throwIfAborted();
    agent.outcome = await agent.behavior.react(run);
    endTurn(agent, agent.outcome);
    await agent.commit();
  } catch (error) {
    agent.outcome = await interrupt(agent, error, run);
  }
  return agent.outcome;
}

/** Starts a turn for the newest message that concerns the agent. Returns false when there is none. */
function startTurn(agent: AgentRuntime): boolean {
  const request = observe(agent).at(-1);
  if (request === undefined) return false;
  // Not the id of the run: one run may have several turns, and call ids start with this id.
  const id = agent.context.runtime.newId();
  agent.state.turn = newTurn(id, request.toData(), agent.behavior.firstStage());
  agent.approvals.enterTurn(id);
  agent.state.lastResult = null;
  beginRecord(agent, request.causeBy === UserRequirement.id);
  agent.state.notes = [];
  if (request.causeBy === UserRequirement.id) for (const part of agent.parts) part.onRequest?.(request);
  return true;
}

/** Ends a turn that was given up, before the request that took its place. */
async function closeGivenUpTurn(agent: AgentRuntime, run: Run): Promise<void> {
  run.signal.throwIfAborted();
  await agent.behavior.closeTurn(run);
  agent.state.turn = null;
  await agent.commit();
}

function endTurn(agent: AgentRuntime, { message, ...outcome }: Outcome): void {
  dropQuestion(agent);
  agent.state.actionIndex = -1;
  agent.state.turn = null;
  agent.state.lastResult = { ...outcome, error: outcome.error?.toData() ?? null };
  agent.enter('idle');
  agent.behavior.publish(message);
  for (const part of agent.parts) part.onTurnEnd?.();
}

/** Ends a run before the end of its turn. The state is stored, so the turn can be resumed. */
async function interrupt(agent: AgentRuntime, error: unknown, run: Run): Promise<Outcome> {
  const { refusal } = agent.journal;
  const outcome = refusal === null ? outcomeOf(error, run) : failed(refusal.error); // also during a stop: the state is not stored
  if (outcome.status === 'failed') {
    agent.enter('failed');
    forgetRequest(agent);
  }
  const { status, summary } = outcome;
  // The same after a reload of the page, whether or not its worker lives long enough to store this.
  const isLeft = status === 'stopped' && isSessionLeft(run.signal.reason);
  agent.state.lastResult = isLeft ? null : { status, summary, error: outcome.error?.toData() ?? null };
  try {
    for (const part of agent.parts) part.onTurnEnd?.();
    await agent.commit();
  } catch (failure) {
    // Only a warning, because the first error is reported.
    agent.emit({
      type: 'warning',
      code: toRoleZeroError(failure, 'storage-failed').code,
      message: `Could not store the last state of ${agent.name}.`,
      detail: { role: agent.name },
    });
  }
  return outcome;
}

/** Observes the request of a resumed turn again, if it was forgotten when the turn failed. */
function observeAgain(agent: AgentRuntime): void {
  if (!agent.behavior.observesAgain) return;
  const { request } = agent.turn();
  if (request === null || agent.memory.get().some(({ id }) => id === request.id)) return;
  agent.news = [agent.remember(messageFromRecord(request))];
}

/** Forgets the request of a failed turn, so that the agent observes it again. Does nothing when the turn continues where it failed. */
function forgetRequest(agent: AgentRuntime): void {
  if (!agent.behavior.observesAgain) return;
  const request = agent.state.turn?.request;
  const observed = agent.memory.get().find(({ id }) => id === request?.id);
  if (observed !== undefined) agent.memory.delete(observed);
}

/** A role of a team: a `RoleZero`, or a `Role` that works in a fixed procedure. */
export interface TeamRole {
  readonly name: string;
  readonly profile: string;
  readonly goal: string;
  /** Its state, memory, and inbox. */
  readonly agent: AgentRuntime;
  /** Returns whether a message starts a turn. */
  concerns(message: Message): boolean;
  /** Resumes an interrupted turn, or starts one for the messages in the inbox; null when there was nothing to do. */
  work(run: Run): Promise<Outcome | null>;
}
