import { RoleZeroError } from '../core/error.js';
import type { PlanData } from '../core/events.js';
import { Task, type TaskId, type TaskInit } from './task.js';

export interface PlanOptions {
  /** Called after every change, but not after an operation that changed nothing or was rejected. Must not throw. */
  onChange?: (plan: Plan) => void;
  /**
   * Maximum number of tasks.
   * @default 10_000
   */
  maxTasks?: number;
}

/**
 * Tasks of one request. Ids are always unique, every task comes after its dependencies, and the current task is the first unfinished one.
 * An operation that would break this throws `invalid` with advice and changes nothing.
 */
export class Plan {
  goal: string;
  context = '';
  readonly #onChange: (plan: Plan) => void;
  readonly #maxTasks: number;
  #tasks: Task[] = [];
  #taskMap = new Map<string, Task>();
  /** Index of the current task; the number of tasks when all are finished. */
  #current = 0;

  constructor(goal = '', options: PlanOptions = {}) {
    this.goal = goal;
    this.#onChange = options.onChange ?? (() => undefined);
    this.#maxTasks = options.maxTasks ?? 10_000;
  }

  get tasks(): readonly Task[] {
    return this.#tasks;
  }

  get taskMap(): ReadonlyMap<string, Task> {
    return this.#taskMap;
  }

  /** Id of the current task; empty when every task is finished. */
  get currentTaskId(): string {
    return this.currentTask?.taskId ?? '';
  }

  /** First unfinished task; null when every task is finished. */
  get currentTask(): Task | null {
    return this.#tasks[this.#current] ?? null;
  }

  hasTaskId(taskId: TaskId): boolean {
    return this.#taskMap.has(String(taskId));
  }

  /** Returns true when every task is finished, and for an empty plan. */
  isPlanFinished(): boolean {
    return this.currentTask === null;
  }

  /** Returns advice that leads to the current task. `taskId`: the task that a rejected command named. */
  adviceToWork(taskId?: TaskId): string {
    const { currentTask } = this;
    if (currentTask === null) return 'All tasks are finished.';
    if (currentTask.taskId === taskId) return 'It is the current task: work on it.';
    return `The current task is ${currentTask.taskId}: work on it.`;
  }

  getFinishedTasks(): Task[] {
    return this.#tasks.filter((task) => task.isFinished);
  }

  /** Adds an unfinished task at the end. It becomes the current task if all others are finished. */
  appendTask(
    taskId: TaskId,
    dependentTaskIds: readonly TaskId[],
    instruction: string,
    assignee: string,
    taskType = '',
  ): void {
    const task = new Task({ taskId, dependentTaskIds, instruction, assignee, taskType });
    checkId(task.taskId);
    if (this.#taskMap.has(task.taskId)) {
      throw new RoleZeroError(
        'invalid',
        `There is already a task ${task.taskId}. ${this.adviceToWork(task.taskId)} Other work needs a new task_id.`,
        { taskId: task.taskId },
      );
    }
    checkDependencies(task, this.#taskMap);
    this.#checkSize(this.#tasks.length + 1);
    // Its dependencies are already in the list, so the order remains valid without sorting.
    this.#tasks.push(task);
    this.#taskMap.set(task.taskId, task);
    this.#onChange(this);
  }

  /** Marks a task and everything that depends on it as unfinished, and clears their results. Does nothing for an unknown id. */
  resetTask(taskId: TaskId): void {
    const task = this.#taskMap.get(String(taskId));
    if (task === undefined) return;
    for (const each of [task, ...this.#dependents(task)]) each.reset();
    this.#place(this.#tasks);
    this.#onChange(this);
  }

  /** Replaces a task with a new one of the same id. Resets the tasks that depend on it. */
  replaceTask(
    taskId: TaskId,
    newDependentTaskIds: readonly TaskId[],
    newInstruction: string,
    newAssignee: string,
    newTaskType = '',
  ): void {
    const task = new Task({
      taskId,
      dependentTaskIds: newDependentTaskIds,
      instruction: newInstruction,
      assignee: newAssignee,
      taskType: newTaskType,
    });
    const old = this.#taskMap.get(task.taskId);
    if (old === undefined) {
      throw new RoleZeroError(
        'invalid',
        `There is no task ${task.taskId} to replace. ` +
          (this.#tasks.length === 0
            ? 'The plan has no tasks: work on the request, or use Plan.append_task.'
            : `Known task ids are ${listIds([...this.#taskMap.keys()])}. ${this.adviceToWork()}`),
        { taskId: task.taskId },
      );
    }
    const sorted = sortTasks(this.#tasks.map((each) => (each === old ? task : each)));
    for (const dependent of this.#dependents(old)) dependent.reset();
    this.#place(sorted);
    this.#onChange(this);
  }

  /** Finishes the current task. Does nothing when all tasks are finished. */
  finishCurrentTask(): void {
    if (this.currentTask === null) return;
    this.currentTask.isFinished = true;
    this.#advance();
    this.#onChange(this);
  }

  finishAllTasks(): void {
    if (this.currentTask === null) return;
    for (const task of this.#tasks) task.isFinished = true;
    this.#advance();
    this.#onChange(this);
  }

  /**
   * Replaces the plan with this list. Old tasks at the start of the list with the same id and instruction retain their progress; all others
   * are dropped. An empty list changes nothing. Tasks may only depend on tasks in the list.
   */
  addTasks(tasks: readonly (Task | TaskInit)[]): void {
    if (tasks.length === 0) return;
    this.#checkSize(tasks.length);
    const sorted = sortTasks(tasks.map((task) => (task instanceof Task ? task : new Task(task))));
    const end = sorted.findIndex((task, place) => {
      const old = this.#tasks[place];
      return old?.taskId !== task.taskId || old.instruction !== task.instruction;
    });
    const unchanged = this.#tasks.slice(0, end === -1 ? sorted.length : end);
    this.#place([...unchanged, ...sorted.slice(unchanged.length)]);
    this.#onChange(this);
  }

  /** Returns an equal plan with the same limits and without `onChange`, for trial changes. */
  copy(): Plan {
    return Plan.fromData(this.toData(), { maxTasks: this.#maxTasks });
  }

  toData(): PlanData {
    return {
      goal: this.goal,
      context: this.context,
      currentTaskId: this.currentTaskId,
      tasks: this.#tasks.map((task) => task.toData()),
    };
  }

  /** Creates a plan from `toData`. Does not read `currentTaskId`, which is derived from the tasks. */
  static fromData(data: PlanData, options: PlanOptions = {}): Plan {
    const plan = new Plan(data.goal, options);
    plan.context = data.context;
    plan.#checkSize(data.tasks.length);
    plan.#place(sortTasks(data.tasks.map((task) => Task.fromData(task))));
    return plan;
  }

  /** Returns all direct and indirect dependents of a task. One pass is enough, because dependents come after the task. */
  #dependents(task: Task): Task[] {
    const ids = new Set([task.taskId]);
    const dependents: Task[] = [];
    for (const each of this.#tasks.slice(this.#tasks.indexOf(task) + 1)) {
      if (!each.dependentTaskIds.some((id) => ids.has(id))) continue;
      ids.add(each.taskId);
      dependents.push(each);
    }
    return dependents;
  }

  #place(tasks: Task[]): void {
    this.#tasks = tasks;
    this.#taskMap = new Map(tasks.map((task) => [task.taskId, task]));
    this.#current = 0;
    this.#advance();
  }

  #advance(): void {
    while (this.#tasks[this.#current]?.isFinished === true) this.#current += 1;
  }

  #checkSize(size: number): void {
    if (size <= this.#maxTasks) return;
    throw new RoleZeroError(
      'invalid',
      `A plan holds at most ${this.#maxTasks} tasks. Put several steps into one task, or raise maxTasks.`,
      { maxTasks: this.#maxTasks },
    );
  }
}

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
function sortTasks(tasks: readonly Task[]): Task[] {
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
function checkId(taskId: string): void {
  if (taskId !== '') return;
  throw new RoleZeroError('invalid', 'A task needs an id: task_id must not be empty, for example "1".');
}

/** @throws RoleZeroError `invalid` when a task depends on itself or on an unknown task. */
function checkDependencies(task: Task, known: { has(id: string): boolean; keys(): Iterable<string> }): void {
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
function listIds(ids: readonly string[], separator = ', '): string {
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
