import type { TaskData } from '../core/events.js';
import type { Plan } from '../plan/plan.js';
import type { Task } from '../plan/task.js';
import { taskType, taskTypeNames } from './task-types.js';

/**
 * Returns the prompt that asks for a plan or a change to it. `context`, which grows with each attempt, comes right before the last
 * sentence, so that the start of the prompt stays cacheable.
 */
export function planPrompt({ context, maxTasks }: { context: string; maxTasks: number }): string {
  const types = taskTypeNames.map((name) => `- ${name}: ${taskType(name)?.description ?? ''}`);
  return `Make a plan for the requirement below, or change the existing plan as its reviewers ask.
- A plan has at most ${maxTasks} tasks. Each is {"task_id": string, "dependent_task_ids": string[], "instruction": string, "task_type": string}; the instruction is one short sentence or two.
- A plan is the whole list, tasks that are finished included and unchanged. To change or add one single task, give a list with only that task.
- Change only what was asked for. When the current task failed, give only the current task, corrected.

Task types:
${types.join('\n')}

${context}

Reply with one JSON list of tasks in a json code fence and nothing else.`;
}

/** Returns the answer to a reply that is not a valid plan. */
export function invalidPlanNote({ error }: { error: string }): string {
  return `This plan is not valid: ${error} Give either the whole plan or only the task that changes.`;
}

/** Returns the note to the model when a failed task causes a change of plan. */
export function failedTaskNote({ taskId, result }: { taskId: string; result: string }): string {
  return `Task ${taskId} did not succeed. Its result:\n${result}`;
}

/** Returns the request, the context, the plan, and the current task. Omits the fields in `exclude` from every task of the plan. */
export function planContext(plan: Plan, exclude: readonly (keyof TaskData)[] = []): string {
  const tasks = plan.tasks.map((task) => modelTask(task, exclude));
  return `# User Requirement
${plan.goal}
# Context
${plan.context}
# Current Plan
${JSON.stringify(tasks, null, 4)}
# Current Task
${plan.currentTask === null ? '{}' : JSON.stringify(modelTask(plan.currentTask, []))}`;
}

/** Task fields with the names that the model uses. */
const FIELDS: readonly (readonly [keyof TaskData, string])[] = [
  ['taskId', 'task_id'],
  ['dependentTaskIds', 'dependent_task_ids'],
  ['instruction', 'instruction'],
  ['taskType', 'task_type'],
  ['code', 'code'],
  ['result', 'result'],
  ['isSuccess', 'is_success'],
  ['isFinished', 'is_finished'],
  ['assignee', 'assignee'],
];

function modelTask(task: Task, exclude: readonly (keyof TaskData)[]): Record<string, unknown> {
  const data = task.toData();
  const shown = FIELDS.filter(([field]) => !exclude.includes(field));
  return Object.fromEntries(shown.map(([field, name]) => [name, data[field]]));
}
