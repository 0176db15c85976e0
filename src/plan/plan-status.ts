import type { Plan } from './plan.js';

/** The plan as the prompt shows it. */
export interface PlanStatus {
  planStatus: string;
  /** JSON of the current task without code and results, under the names the model uses; empty when nothing is left to do. */
  currentTask: string;
}

/**
 * What the model is told about its plan at every step (spec 6.12); `earlierGoals` are requirements whose tasks are still open under a
 * newer one, oldest first.
 */
export function planStatus(plan: Plan, earlierGoals: readonly string[] = []): PlanStatus {
  const lines = plan.tasks.map(
    (task) =>
      `[TASK_ID ${task.taskId}] (${task.isFinished ? 'finished' : '    '})${task.instruction} ` +
      `This task depends on tasks${quotedList(task.dependentTaskIds)}. [Assign to ${task.assignee}]\n`,
  );
  const listing = lines.length === 0 ? 'No Plan \n' : `[Plan]\n${lines.join('')}`;
  const earlier = earlierGoals.map((goal) => `[EARLIER GOAL, not done yet] ${goal}\n`).join('');
  return { planStatus: `${earlier}[GOAL] ${plan.goal}\n${listing}`, currentTask: currentTask(plan) };
}

function currentTask({ currentTask: task }: Plan): string {
  if (task === null) return '';
  return JSON.stringify({
    task_id: task.taskId,
    dependent_task_ids: task.dependentTaskIds,
    instruction: task.instruction,
    task_type: task.taskType,
    is_finished: task.isFinished,
    assignee: task.assignee,
  });
}

/** `['1', '2']`, as models that were trained on such prompts know it. */
function quotedList(ids: readonly string[]): string {
  return `[${ids.map((id) => `'${id.replaceAll("'", "\\'")}'`).join(', ')}]`;
}
