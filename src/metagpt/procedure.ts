import { RoleZeroError } from '../core/error.js';
import { Action, AIMessage, Message } from '../core/message.js';
import { withoutThinking } from '../agent/parse/thinking.js';
import type { AgentRuntime } from '../agent/runtime/agent-runtime.js';
import { askModel } from '../agent/runtime/ask-model.js';
import type { Outcome, Run } from '../agent/runtime/outcome.js';
import { countStep, type StageOf } from '../agent/runtime/turn.js';

/** The steps of a fixed procedure. */
export interface Procedure {
  /** Maximum steps of a turn. */
  limit: number;
  /** Chooses the next action; false when there is none. */
  think: (run: Run) => Promise<boolean>;
  /** Runs the chosen action and remembers its result. */
  act: (run: Run) => Promise<Message>;
}

/** Thinks and acts until there is no action left or the limit is reached. */
export async function runProcedure(
  agent: AgentRuntime,
  { limit, think, act }: Procedure,
  run: Run,
): Promise<Outcome> {
  let message = agent.newMessage(AIMessage, {
    content: 'No actions taken yet',
    causeBy: Action,
    sentFrom: agent.name,
  });
  const turn = agent.turn();
  const stage = procedureStage(agent);
  while (turn.step < limit) {
    if (!stage.isActionChosen) {
      agent.enter('thinking');
      if (!(await think(run))) break;
      stage.isActionChosen = true;
    }
    agent.enter('acting');
    const result = await act(run);
    message = result instanceof AIMessage ? result : message;
    stage.isActionChosen = false;
    countStep(agent.approvals, turn);
    await agent.commit();
  }
  agent.enter('ended');
  return { status: 'done', summary: message.content, message, error: null };
}

/** Returns the stage of the turn; starts the procedure when the turn has just started. */
function procedureStage(agent: AgentRuntime): StageOf<'procedure'> {
  const turn = agent.turn();
  if (turn.stage.name === 'procedure') return turn.stage;
  const stage = { name: 'procedure' as const, isActionChosen: false };
  turn.stage = stage;
  return stage;
}

/** Chooses the next action: the only one, the next in order, or the one that the model names. Returns false when there is none. */
export async function chooseAction(
  agent: AgentRuntime,
  actions: readonly Action[],
  mode: 'react' | 'by_order',
  run: Run,
): Promise<boolean> {
  const { state } = agent;
  if (actions.length === 0) return false;
  if (actions.length === 1) {
    state.actionIndex = 0;
    return true;
  }
  if (mode === 'by_order') {
    state.actionIndex += 1;
    return actions[state.actionIndex] !== undefined;
  }
  const stages = actions.map(
    (action, index) => `${index}. ${action.name}${action.desc && `: ${action.desc}`}`,
  );
  const history = agent.memory.get().map(String).join('\n');
  const reply = await askModel(agent, run, {
    purpose: 'stage',
    key: `stage:${agent.turn().step}`,
    text: `What happened so far:\n${history}\n\nYour stages:\n${stages.join('\n')}\nPrevious stage: ${state.actionIndex}\nReply with the number of the next stage only, 0 to ${stages.length - 1}, or -1 if the goal is reached.`,
    apart: true,
  });
  state.actionIndex = chosenStage(reply.text, actions.length);
  return actions[state.actionIndex] !== undefined;
}

/** Runs the chosen action and remembers its result. */
export async function runAction(agent: AgentRuntime, todo: Action | null, run: Run): Promise<Message> {
  if (todo === null)
    throw new RoleZeroError('internal', `${agent.name} has no action to take.`, { role: agent.name });
  const { step } = agent.turn();
  let asked = 0;
  const result = await todo.run(agent.memory.get(), async (text) => {
    const key = `act:${step}:${asked++}`;
    return (await askModel(agent, run, { purpose: 'other', key, text, apart: true })).text;
  });
  const message =
    result instanceof Message
      ? result
      : agent.newMessage(AIMessage, { content: result, causeBy: todo, sentFrom: agent.name });
  return agent.remember(message, true);
}

/** Returns the stage that a reply names: its first integer that is a valid stage or -1; -1 without one. */
export function chosenStage(reply: string, count: number): number {
  const numbers = withoutThinking(reply).match(/-?\d+/g) ?? [];
  return numbers.map(Number).find((number) => number >= -1 && number < count) ?? -1;
}
