import { RoleZeroError } from '../core/error.js';
import { isRecord, type JsonValue } from '../core/json.js';
import type { Plan } from '../plan/plan.js';
import { Task } from '../plan/task.js';

const EXPECTED =
  'Send a JSON list of tasks: [{"task_id": "1", "dependent_task_ids": [], "instruction": "…", "task_type": "other"}].';

/**
 * Reads the tasks that a model proposes, always as unfinished. Ids may be numbers; dependencies, type, and assignee are optional.
 *
 * @throws RoleZeroError `invalid` with advice unless the value is a list of at least one valid task.
 */
export function readTasks(value: JsonValue): Task[] {
  const list = listOf(value);
  if (list === null || list.length === 0) throw invalid(`The reply holds no tasks. ${EXPECTED}`);
  return list.map((item, place) => readTask(item, place));
}

/**
 * Applies proposed tasks to a plan. A single task, or the first task of a list if it has dependencies, replaces the task with the same id
 * or is appended. Any other list becomes the plan.
 *
 * @returns the number of ignored tasks when only the first one was applied.
 * @throws RoleZeroError `invalid` with advice; the plan is unchanged.
 */
export function applyTasks(plan: Plan, tasks: readonly Task[]): number {
  const [first] = tasks;
  if (first === undefined) return 0;
  if (tasks.length > 1 && first.dependentTaskIds.length === 0) {
    plan.addTasks(tasks);
    return 0;
  }
  const { taskId, dependentTaskIds, instruction, assignee, taskType } = first;
  if (plan.hasTaskId(taskId)) plan.replaceTask(taskId, dependentTaskIds, instruction, assignee, taskType);
  else plan.appendTask(taskId, dependentTaskIds, instruction, assignee, taskType);
  return tasks.length - 1;
}

function listOf(value: JsonValue): JsonValue[] | null {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return null;
  const { tasks } = value as Record<string, JsonValue>;
  if (Array.isArray(tasks)) return tasks;
  return value['task_id'] === undefined ? null : [value];
}

function readTask(item: JsonValue, place: number): Task {
  const where = `Task ${place} (counted from 0)`;
  if (!isRecord(item)) throw invalid(`${where} is not an object. ${EXPECTED}`);
  const { task_id: taskId, dependent_task_ids: dependencies = [], instruction } = item;
  if (!isId(taskId)) throw invalid(`${where} has no "task_id". ${EXPECTED}`);
  if (typeof instruction !== 'string' || instruction.trim() === '')
    throw invalid(`${where} has no "instruction". ${EXPECTED}`);
  if (!Array.isArray(dependencies) || !dependencies.every(isId))
    throw invalid(
      `"dependent_task_ids" of task ${taskId} must be a list of task ids, [] when there are none.`,
    );
  return new Task({
    taskId,
    dependentTaskIds: dependencies,
    instruction,
    taskType: textOf(item['task_type']),
    assignee: textOf(item['assignee']),
  });
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function invalid(advice: string): RoleZeroError {
  return new RoleZeroError('invalid', advice);
}
