import { RoleZeroError } from '../../core/error.js';
import { GIVE_AGAIN } from '../../core/give-again.js';
import { onlyPlans } from '../../core/role-command-names.js';
import type { Agent } from '../runtime/agent.js';

/** Records that a command has succeeded: work on the current task, unless it only changes the plan. */
export function countWork({ state, goals }: Agent, name: string): void {
  if (!onlyPlans(name)) state.workedOn = goals.plan.currentTaskId;
  else state.workedOn ??= '';
}

/**
 * Checks that the current task was worked on before it is finished: since it became the current one, or in the same reply.
 *
 * @throws RoleZeroError `invalid`, once for a task of this role without any successful command.
 */
export function checkTaskWork(agent: Agent): void {
  const { state, goals } = agent;
  const task = goals.plan.currentTask;
  const { workedOn = task?.taskId } = state; // an earlier release stored none
  if (task === null || ![agent.name, ''].includes(task.assignee) || workedOn === task.taskId) return;
  if (agent.turn().trace.commands.some(({ name, ok }) => ok && !onlyPlans(name))) return;
  state.workedOn = task.taskId; // the next attempt finishes it
  throw new RoleZeroError(
    'invalid',
    `Not finished: no other command has succeeded since task ${task.taskId} became the current one. Work on it, or ${GIVE_AGAIN} if there is nothing to do for it.`,
    { taskId: task.taskId },
  );
}
