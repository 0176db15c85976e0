import type { Plan } from './plan.js';

/** Plan as shown in the prompt. */
export interface PlanStatus {
  planStatus: string;
  /** JSON of the current task without code and results, with the field names that the model uses. Empty when all tasks are finished. */
  currentTask: string;
}

/**
 * Returns the plan as the model receives it in every step.
 *
 * @param earlierGoals Older requests with open tasks, oldest first.
 * @param mentionsNone Says that there is no plan. Default true.
 */
export function planStatus(
  plan: Plan,
  earlierGoals: readonly string[] = [],
  mentionsNone = true,
): PlanStatus {
  const lines = plan.tasks.map(
    (task) =>
      `[TASK_ID ${task.taskId}] (${task.isFinished ? 'finished' : '    '})${task.instruction} ` +
      `This task depends on tasks${quotedList(task.dependentTaskIds)}. [Assign to ${task.assignee}]\n`,
  );
  const none = mentionsNone ? 'No Plan \n' : '';
  const listing = lines.length === 0 ? none : `[Plan]\n${lines.join('')}`;
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

/** Formats ids as `['1', '2']`, the form that models know from training. */
function quotedList(ids: readonly string[]): string {
  return `[${ids.map((id) => `'${id.replaceAll("'", "\\'")}'`).join(', ')}]`;
}
