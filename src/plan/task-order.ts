import { RoleZeroError } from '../core/error.js';
import type { Task } from './task.js';

/** Maximum number of ids that an error message lists; it states the number of the others. */
const NAMED_IDS = 20;

/**
 * Sorts tasks so that each comes after its dependencies and otherwise in the given order. Searches depth-first over the list, with
 * dependencies in list order.
 *
 * Runs in linear time apart from sorting each task's dependencies. It is not recursive, so chains of 10,000 tasks work.
 *
 * @throws RoleZeroError `invalid`, with the ids, for an empty or duplicate id, an unknown dependency, or a cycle.
 */
export function sortTasks(tasks: readonly Task[]): Task[] {
  const places = placesOf(tasks);
  for (const task of tasks) checkDependencies(task, places);

  const sorted: Task[] = [];
  const visited = new Set<Task>();
  const open = new Set<Task>(); // visited but not placed: reaching one again is a cycle
  for (const root of tasks) {
    const stack: { task: Task; waiting: Iterator<Task> }[] = [];
    const begin = (task: Task): void => {
      visited.add(task);
      open.add(task);
      stack.push({ task, waiting: dependenciesInPlanOrder(task, tasks, places).values() });
    };
    if (!visited.has(root)) begin(root);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const next = top.waiting.next();
      if (next.done === true) {
        open.delete(top.task);
        sorted.push(top.task);
        stack.pop();
      } else if (open.has(next.value)) {
        throw cycleError([...open], next.value);
      } else if (!visited.has(next.value)) {
        begin(next.value);
      }
    }
  }
  return sorted;
}

/** Returns the index of each task, by id. */
function placesOf(tasks: readonly Task[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [place, { taskId }] of tasks.entries()) {
    checkId(taskId);
    if (places.has(taskId)) {
      throw new RoleZeroError(
        'invalid',
        `Task id ${taskId} is used twice. Give every task an id of its own.`,
        { taskId },
      );
    }
    places.set(taskId, place);
  }
  return places;
}

/** @throws RoleZeroError `invalid` for the empty id, which means "no task" everywhere else. */
export function checkId(taskId: string): void {
  if (taskId !== '') return;
  throw new RoleZeroError('invalid', 'A task needs an id: task_id must not be empty, for example "1".');
}

/** @throws RoleZeroError `invalid` when a task depends on itself or on an unknown task. */
export function checkDependencies(
  task: Task,
  known: { has(id: string): boolean; keys(): Iterable<string> },
): void {
  const { taskId } = task;
  if (task.dependentTaskIds.includes(taskId)) {
    throw new RoleZeroError(
      'invalid',
      `Task ${taskId} cannot depend on itself. Leave ${taskId} out of its dependent_task_ids.`,
      { taskId },
    );
  }
  const unknown = task.dependentTaskIds.filter((id) => !known.has(id));
  if (unknown.length === 0) return;
  const others = [...known.keys()].filter((id) => id !== taskId);
  throw new RoleZeroError(
    'invalid',
    `Task ${taskId} depends on unknown tasks: ${listIds(unknown)}. ` +
      (others.length === 0
        ? 'There are no other tasks yet: use an empty dependent_task_ids, or append those tasks first.'
        : `Known task ids are ${listIds(others)}. Use those in dependent_task_ids, or append the missing tasks first.`),
    { taskId, unknown },
  );
}

/** Joins ids for an error message and limits their number. */
export function listIds(ids: readonly string[], separator = ', '): string {
  const named = ids.slice(0, NAMED_IDS).join(separator);
  return ids.length > NAMED_IDS ? `${named}${separator}… (${ids.length - NAMED_IDS} more)` : named;
}

function dependenciesInPlanOrder(task: Task, tasks: readonly Task[], places: Map<string, number>): Task[] {
  const found = task.dependentTaskIds.map((id) => places.get(id)).filter((place) => place !== undefined);
  return found.sort((a, b) => a - b).flatMap((place) => tasks[place] ?? []);
}

/** `open` is the path to the task that closes the cycle; each task depends on the next. */
function cycleError(open: readonly Task[], met: Task): RoleZeroError {
  const cycle = [...open.slice(open.indexOf(met)), met].map((task) => task.taskId);
  return new RoleZeroError(
    'invalid',
    `These tasks would wait for each other for ever: ${listIds(cycle, ' → ')} (each depends on the next). ` +
      'Remove one of these from dependent_task_ids.',
    { cycle: cycle.slice(0, NAMED_IDS) },
  );
}
