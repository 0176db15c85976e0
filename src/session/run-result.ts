import type { RunResult, TaskData } from '../core/events.js';
import { QUICK_THINK } from '../core/message.js';
import type { Outcome } from '../agent/runtime/outcome.js';
import type { TeamRole } from '../agent/runtime/work.js';

/** Maximum number of tasks in a summary, and of characters of each. */
const MAX_TASKS = 10;
const MAX_INSTRUCTION = 200;

/**
 * Returns the result of the last run, or null before the first run. It is derived from the roles alone, so that it is the same after a
 * reload. In a team the summary names unfinished tasks, unless the result is for somebody other than the user. A run that ended before other roles finished their tasks is not `done`.
 *
 * @param asked the role that the user addressed
 * @param result result of the last turn; default: how it was interrupted, else the result of the asked role
 */
export function resultOf(
  roles: readonly TeamRole[],
  asked: TeamRole,
  result = lastOf(roles, asked),
): RunResult | null {
  if (result === null || roles.length === 1 || asked.agent.state.senders !== undefined) return result;
  const answeredAtOnce = asked.agent.memory.getByPosition(-1)?.causeBy === QUICK_THINK;
  const left = asked.agent.state.plan.tasks.filter((task) => !task.isFinished);
  if (left.length === 0 || answeredAtOnce) return result;
  const handedOn = left.some((task) => task.assignee !== asked.name);
  return {
    ...result,
    status: result.status === 'done' && handedOn ? 'exhausted' : result.status,
    summary: [result.summary, unfinished(left)].filter((part) => part !== '').join('\n\n'),
  };
}

/** Returns the result of a run after its last turn. `outcome` is null when no role had work. */
export function resultAfter(outcome: Outcome | null, roles: readonly TeamRole[], asked: TeamRole): RunResult {
  const nothing: RunResult = { status: 'done', summary: '', error: null };
  if (outcome === null) return (roles.length === 1 ? null : resultOf(roles, asked)) ?? nothing;
  const { message: _, ...rest } = outcome;
  const { status } = rest;
  const own: RunResult = { ...rest, error: rest.error?.toData() ?? null };
  const result = resultOf(roles, asked, roles.length === 1 || status === 'failed' ? own : undefined) ?? own;
  // The text of a question is for the user, not for another sender.
  const isForOthers = asked.agent.state.senders !== undefined;
  return isForOthers && result.status === 'waiting' ? { ...result, summary: '' } : result;
}

/** Returns null while work is in progress that was not interrupted: a worker that was killed could not record it. */
function lastOf(roles: readonly TeamRole[], asked: TeamRole): RunResult | null {
  const busy = roles.filter((role) => role.agent.isBusy);
  if (busy.length === 0) return asked.agent.state.lastResult;
  const results = busy.flatMap(({ agent }) => (agent.isResumable ? (agent.state.lastResult ?? []) : []));
  return results.find(({ status }) => status !== 'waiting') ?? results[0] ?? null; // the run ends with the first failure
}

function unfinished(tasks: readonly TaskData[]): string {
  const named = tasks.slice(0, MAX_TASKS).map(({ taskId, assignee, instruction }) => {
    const short =
      instruction.length > MAX_INSTRUCTION ? `${instruction.slice(0, MAX_INSTRUCTION)}…` : instruction;
    return `task ${taskId} (${assignee}): ${short}`;
  });
  const more = tasks.length > MAX_TASKS ? `; and ${tasks.length - MAX_TASKS} more` : '';
  return `Not finished: ${named.join('; ')}${more}. The work can be continued.`;
}
