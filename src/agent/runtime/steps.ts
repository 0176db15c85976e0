import { defined } from '../../core/defined.js';
import type { StepTrace } from '../../core/events.js';
import type { JsonValue } from '../../core/json.js';
import { requestSettings } from '../../core/request-settings.js';
import { doesWork } from '../../core/role-command-names.js';
import { RunCommand, UserMessage, type Message } from '../../core/message.js';
import type { Agent } from './agent.js';
import { askPermission, isYes } from './ask-user.js';
import { rowKey } from './journal.js';
import { PROMPT_VERSION } from '../prompt/prompts.js';
import { fill, sections } from '../prompt/template.js';
import { countStep, newTrace, type ActStage, type Ended, type Paused, type Turn } from './turn.js';

/** From this step limit on, the user is asked whether to continue. A smaller limit ends the turn. */
const ASKS_TO_CONTINUE_FROM = 10;
/** Maximum number of stored step traces of one role. */
const MAX_STEP_TRACES = 2_000;

/** Returns whether the turn has as many steps as it may take without asking. */
export function isAtStepLimit(agent: Agent): boolean {
  const turn = agent.turn();
  return turn.step - turn.limitFrom >= maxStepsOf(agent, turn);
}

function maxStepsOf({ settings }: Agent, { request }: Turn): number {
  return requestSettings(request?.metadata).maxSteps ?? settings.maxSteps;
}

/** Returns whether another step is allowed at the limit: the user decides. Without a user, or with a small limit, the turn ends. */
export async function mayExceedSteps(agent: Agent): Promise<boolean> {
  const turn = agent.turn();
  if (maxStepsOf(agent, turn) < ASKS_TO_CONTINUE_FROM) return false;
  const { prompts } = agent.settings;
  const answer = await askPermission(agent, agent.run, `continue:${turn.step}`, {
    kind: 'question',
    text: fill(prompts.continueQuestion, { steps: String(turn.step) }),
    options: ['yes', 'no'],
  });
  if (answer === null || !isYes(answer)) return false;
  turn.limitFrom = turn.step;
  agent.enter('thinking');
  return true;
}

/** Combines the results of the commands into one observation, and ends the step. */
export function completeStep(agent: Agent, { results, ending, changed, notRun = [] }: ActStage): void {
  const turn = agent.turn();
  turn.failedSteps = results.some(({ ok }) => ok) ? 0 : (turn.failedSteps ?? 0) + 1;
  if (results.some(({ name }) => doesWork(name)))
    turn.failedCommands = results.filter(({ ok }) => !ok).length;
  turn.lastOutput = results.map((result) => result.output).join('\n\n');
  const observation = agent.remember(
    agent.newMessage(UserMessage, {
      content: sections(turn.lastOutput, ending === null ? notRun.join('\n') : ''),
      causeBy: RunCommand,
      metadata: {
        results: results.map((result): JsonValue => ({ ...result })),
        ...defined({ changed }),
      },
    }),
  );
  endStep(agent, observation, ending);
}

/** Ends a step: the next one thinks again, or the turn finishes. */
export function endStep(
  agent: Agent,
  observation: Message,
  ending: Ended | Paused | null,
  unreadableReplies = 0,
): void {
  const turn = agent.turn();
  addTrace(agent, turn, observation.id);
  countStep(agent.approvals, turn);
  turn.stage = ending === null ? { name: 'think', unreadableReplies } : { name: 'finish', ending };
}

/** Records what happened around the steps: a direct answer, the final reply, a "no" to more steps. */
export function traceRest(agent: Agent): void {
  const turn = agent.turn();
  const answers = { ...turn.answers, ...agent.approvals.answers };
  if (turn.trace.calls.length > 0 || Object.keys(answers).length > 0) addTrace(agent, turn, '');
}

/** Stores the record of a step; the oldest one is removed. */
function addTrace(agent: Agent, turn: Turn, observationId: string): void {
  const { name: role, state, journal } = agent;
  const { startedAt, ...rest } = turn.trace;
  const now = agent.context.runtime.now();
  const trace: StepTrace = {
    role,
    requirement: turn.request?.id ?? '',
    step: turn.step,
    startedAt: startedAt || now,
    durationMs: Math.max(0, now - (startedAt || now)),
    promptVersion: PROMPT_VERSION,
    ...rest,
    observationId,
    answers: { ...turn.answers, ...agent.approvals.answers },
  };
  for (const part of agent.parts) part.onStep?.(trace);
  const number = state.stepsTaken++;
  journal.put('steps', rowKey(role, number), trace);
  if (number >= MAX_STEP_TRACES) journal.remove('steps', rowKey(role, number - MAX_STEP_TRACES));
  journal.tell({ type: 'step-end', role, trace });
  turn.trace = newTrace();
}
