import { RoleZeroError } from '../core/error.js';
import type { TaskData } from '../core/events.js';
import { asString, isRecord, type JsonValue } from '../core/json.js';
import { AIMessage, UserMessage, type Message } from '../core/message.js';
import { Plan, type PlanOptions } from '../plan/plan.js';
import { Task, type TaskResult } from '../plan/task.js';
import {
  asksForRedo,
  confirmsWithChanges,
  isConfirmed,
  isExit,
  reviewQuestion,
  type Review,
  type ReviewTrigger,
} from './review.js';
import { taskType, taskTypeNames } from './task-types.js';
import { workStatus, type WorkStatusPart } from './work-status.js';

/** Connections of the planner to the model and the user. If one throws, including on abort, the planner's state does not change. */
export interface PlannerPorts {
  /** Sends a prompt to the model with the purpose `plan` and returns its reply. */
  ask(prompt: string): Promise<string>;
  /** Asks the user for a review. Returns null when no user is connected; then the planner decides as with `autoRun`. */
  review(question: string): Promise<string | null>;
  /** Finds and parses the JSON in a reply of the model. `error` is a clause that describes the problem. */
  readJson(reply: string): { ok: true; value: JsonValue } | { ok: false; error: string };
  /** Returns an id for a new message. Random by default. */
  newId?(): string;
  /** Called when parts of a reply were ignored. */
  warn?(message: string): void;
}

export interface PlannerOptions {
  goal?: string;
  /** Existing plan to continue. If it is set, `goal` is ignored. */
  plan?: Plan;
  /**
   * Decides without asking the user: accepts every plan, and confirms a result if it succeeded.
   * @default false
   */
  autoRun?: boolean;
  /** Options for the plans that the planner creates. */
  planOptions?: PlanOptions;
}

/** Number of working memory messages in a question to the user. */
const REVIEW_CONTEXT = 5;

/**
 * Creates a plan with the model and the user, and updates it with the results of the tasks.
 *
 * Every operation is atomic: if it throws, plan and working memory are unchanged. Interrupted work can therefore be repeated from its start
 * with the same answers.
 *
 * @example
 * const planner = new Planner({ ask, review, readJson: readJsonReply }, { autoRun: true });
 * await planner.updatePlan('Write a 2048 game');
 * await planner.processTaskResult({ result: 'Wrote /index.html', isSuccess: true });
 */
export class Planner {
  /** Replaced by `updatePlan` with a goal; otherwise changed in place. */
  plan: Plan;
  /** Messages since the last change of the plan, oldest first. Code that works on a task may add messages. */
  workingMemory: Message[] = [];
  autoRun: boolean;
  readonly #ports: PlannerPorts;
  readonly #planOptions: PlanOptions;

  constructor(ports: PlannerPorts, options: PlannerOptions = {}) {
    this.#ports = ports;
    this.#planOptions = options.planOptions ?? {};
    this.plan = options.plan ?? new Plan(options.goal ?? '', this.#planOptions);
    this.autoRun = options.autoRun ?? false;
  }

  /**
   * Asks the model for a plan, or a change to the existing plan, until the result is valid and confirmed. With a `goal`, a new plan
   * replaces the old one. `maxTasks` is part of the prompt and is not enforced. `maxRetries` limits the replies that are not valid plans.
   *
   * @throws RoleZeroError `invalid` when the retries are used up, `aborted` when the user answers `exit`.
   */
  async updatePlan(goal = '', maxTasks = 3, maxRetries = 3): Promise<void> {
    await this.#wholly(async () => {
      const plan = goal === '' ? this.plan : new Plan(goal, this.#planOptions);
      const tasks = await this.#agree(plan, maxTasks, maxRetries);
      this.plan = plan;
      this.#apply(tasks);
    });
  }

  /**
   * Asks the user to confirm a result, or with `autoRun` confirms it if it succeeded. Adds the user's answer to the working memory when it
   * is not a confirmation.
   *
   * @throws RoleZeroError `aborted` when the user answers `exit`.
   */
  async askReview(
    taskResult?: TaskResult,
    autoRun = this.autoRun,
    trigger: ReviewTrigger = 'task',
    reviewContextLength = REVIEW_CONTEXT,
  ): Promise<Review> {
    const context = lastMessages(this.workingMemory, reviewContextLength);
    return this.#review({ plan: this.plan, trigger, result: taskResult, context }, autoRun);
  }

  /** Processes the result of the current task: confirms it, leaves the task to be redone, or changes the plan. */
  async processTaskResult(result: TaskResult): Promise<void> {
    await this.#wholly(async () => {
      const { review, confirmed } = await this.askReview(result);
      if (confirmed) {
        await this.confirmTask(result, review);
      } else if (!asksForRedo(review)) {
        if (!result.isSuccess) {
          const { currentTaskId: taskId } = this.plan;
          this.#say(UserMessage, failedTaskNote({ taskId, result: result.result }));
        }
        await this.updatePlan();
      }
    });
  }

  /**
   * Records the result of the current task and finishes the task. If the review asks for more than confirmation, changes the plan.
   *
   * @throws RoleZeroError `invalid` when there is no current task.
   */
  async confirmTask(result: TaskResult, review = ''): Promise<void> {
    if (this.plan.currentTask === null) {
      throw new RoleZeroError('invalid', 'There is no current task whose result could be confirmed.');
    }
    const finish = (plan: Plan): void => {
      plan.currentTask?.updateTaskResult(result);
      plan.finishCurrentTask();
    };
    await this.#wholly(async () => {
      this.workingMemory = [];
      let tasks: Task[] = [];
      if (confirmsWithChanges(review)) {
        const draft = this.plan.copy();
        finish(draft);
        this.#say(UserMessage, review);
        tasks = await this.#agree(draft);
      }
      finish(this.plan);
      this.#apply(tasks);
    });
  }

  /** Returns the plan as one message, followed by the working memory. Omits the fields in `exclude` from the tasks. */
  getUsefulMemories(exclude: readonly (keyof TaskData)[] = []): Message[] {
    return [this.#message(UserMessage, planContext(this.plan, exclude)), ...this.workingMemory];
  }

  /** Returns the finished work and the current task, without the parts in `exclude`. */
  getPlanStatus(exclude: readonly WorkStatusPart[] = []): string {
    return workStatus(this.plan, exclude);
  }

  /** Returns confirmed tasks that are valid for the plan, without changing it. Adds the conversation to the working memory. */
  async #agree(plan: Plan, maxTasks = 3, maxRetries = 3): Promise<Task[]> {
    let failures = 0;
    for (;;) {
      const known = [planContext(plan), ...this.workingMemory.map(String)];
      const reply = await this.#ports.ask(planPrompt({ context: known.join('\n\n'), maxTasks }));
      // The user sees the plan itself, not its JSON.
      const context = lastMessages(this.workingMemory, REVIEW_CONTEXT);
      this.#say(AIMessage, reply);
      const checked = this.#check(reply, plan);
      if (checked.ok) {
        const { confirmed } = await this.#review(
          { plan: checked.plan, trigger: 'task', context },
          this.autoRun,
        );
        if (confirmed) return checked.tasks;
      } else if (failures < maxRetries) {
        failures += 1;
        this.#say(UserMessage, invalidPlanNote({ error: checked.error.message }));
      } else {
        throw new RoleZeroError(
          'invalid',
          `The model gave no valid plan (attempts: ${failures + 1}), so the plan is unchanged. The last problem: ${checked.error.message}`,
          { attempts: failures + 1 },
          checked.error,
        );
      }
    }
  }

  /** Reads the tasks of a reply and returns them with the resulting plan. */
  #check(
    reply: string,
    plan: Plan,
  ): { ok: true; tasks: Task[]; plan: Plan } | { ok: false; error: RoleZeroError } {
    try {
      const read = this.#ports.readJson(reply);
      if (!read.ok)
        throw new RoleZeroError('invalid', `The JSON of the reply cannot be read: ${read.error}.`);
      const tasks = readTasks(read.value);
      const changed = plan.copy();
      applyTasks(changed, tasks);
      return { ok: true, tasks, plan: changed };
    } catch (error) {
      if (error instanceof RoleZeroError && error.code === 'invalid') return { ok: false, error };
      throw error;
    }
  }

  async #review(about: Parameters<typeof reviewQuestion>[0], autoRun: boolean): Promise<Review> {
    const review = autoRun ? null : await this.#ports.review(reviewQuestion(about));
    if (review === null) return { review: '', confirmed: about.result?.isSuccess ?? true };
    if (isExit(review)) {
      throw new RoleZeroError('aborted', 'The user ended the run at a review of the plan.', { review });
    }
    const confirmed = isConfirmed(review);
    if (!confirmed) this.#say(UserMessage, review);
    return { review, confirmed };
  }

  /** Applies validated tasks. Must run after everything that can fail. */
  #apply(tasks: readonly Task[]): void {
    const leftOut = applyTasks(this.plan, tasks);
    if (leftOut > 0) {
      this.#ports.warn?.(
        `Only the first task of the model's plan was taken, because it depends on others; ${leftOut} more were left out.`,
      );
    }
    this.workingMemory = [];
  }

  async #wholly(work: () => Promise<void>): Promise<void> {
    const before = [...this.workingMemory];
    try {
      await work();
    } catch (error) {
      this.workingMemory = before;
      throw error;
    }
  }

  #say(kind: typeof UserMessage | typeof AIMessage, content: string): void {
    this.workingMemory.push(this.#message(kind, content));
  }

  #message(kind: typeof UserMessage | typeof AIMessage, content: string): Message {
    const id = this.#ports.newId?.();
    return id === undefined ? new kind(content) : new kind(content, { id });
  }
}

function lastMessages(messages: readonly Message[], count: number): Message[] {
  return count > 0 ? messages.slice(-count) : [];
}

/**
 * Returns the prompt that asks for a plan or a change to it. `context`, which grows with each attempt, comes right before the last
 * sentence, so that the start of the prompt stays cacheable.
 */
function planPrompt({ context, maxTasks }: { context: string; maxTasks: number }): string {
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
function invalidPlanNote({ error }: { error: string }): string {
  return `This plan is not valid: ${error} Give either the whole plan or only the task that changes.`;
}

/** Returns the note to the model when a failed task causes a change of plan. */
function failedTaskNote({ taskId, result }: { taskId: string; result: string }): string {
  return `Task ${taskId} did not succeed. Its result:\n${result}`;
}

/** Returns the request, the context, the plan, and the current task. Omits the fields in `exclude` from every task of the plan. */
function planContext(plan: Plan, exclude: readonly (keyof TaskData)[] = []): string {
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

const EXPECTED_TASKS =
  'Send a JSON list of tasks: [{"task_id": "1", "dependent_task_ids": [], "instruction": "…", "task_type": "other"}].';

/**
 * Reads the tasks that a model proposes, always as unfinished. Ids may be numbers; dependencies, type, and assignee are optional.
 *
 * @throws RoleZeroError `invalid` with advice unless the value is a list of at least one valid task.
 */
function readTasks(value: JsonValue): Task[] {
  const list = taskList(value);
  if (list === null || list.length === 0) throw invalidTasks(`The reply holds no tasks. ${EXPECTED_TASKS}`);
  return list.map((item, place) => readTask(item, place));
}

/**
 * Applies proposed tasks to a plan. A single task, or the first task of a list if it has dependencies, replaces the task with the same id
 * or is appended. Any other list becomes the plan.
 *
 * @returns the number of ignored tasks when only the first one was applied.
 * @throws RoleZeroError `invalid` with advice; the plan is unchanged.
 */
function applyTasks(plan: Plan, tasks: readonly Task[]): number {
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

function taskList(value: JsonValue): JsonValue[] | null {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return null;
  const { tasks } = value as Record<string, JsonValue>;
  if (Array.isArray(tasks)) return tasks;
  return value['task_id'] === undefined ? null : [value];
}

function readTask(item: JsonValue, place: number): Task {
  const where = `Task ${place} (counted from 0)`;
  if (!isRecord(item)) throw invalidTasks(`${where} is not an object. ${EXPECTED_TASKS}`);
  const { task_id: taskId, dependent_task_ids: dependencies = [], instruction } = item;
  if (!isId(taskId)) throw invalidTasks(`${where} has no "task_id". ${EXPECTED_TASKS}`);
  if (typeof instruction !== 'string' || instruction.trim() === '')
    throw invalidTasks(`${where} has no "instruction". ${EXPECTED_TASKS}`);
  if (!Array.isArray(dependencies) || !dependencies.every(isId))
    throw invalidTasks(
      `"dependent_task_ids" of task ${taskId} must be a list of task ids, [] when there are none.`,
    );
  return new Task({
    taskId,
    dependentTaskIds: dependencies,
    instruction,
    taskType: asString(item['task_type']),
    assignee: asString(item['assignee']),
  });
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function invalidTasks(advice: string): RoleZeroError {
  return new RoleZeroError('invalid', advice);
}
