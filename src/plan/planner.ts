import { RoleZeroError } from '../base/error.js';
import type { TaskData } from '../base/events.js';
import type { JsonValue } from '../base/json.js';
import { AIMessage, UserMessage, type Message } from '../base/message.js';
import { Plan, type PlanOptions } from './plan.js';
import { failedTaskNote, invalidPlanNote, planContext, planPrompt } from './planner-prompts.js';
import { applyTasks, readTasks } from './proposed-tasks.js';
import {
  asksForRedo,
  confirmsWithWishes,
  isConfirmed,
  isExit,
  reviewQuestion,
  type Review,
  type ReviewTrigger,
} from './review.js';
import type { Task, TaskResult } from './task.js';
import { workStatus, type WorkStatusPart } from './work-status.js';

/** Whom the planner talks to. What a port throws, an abort included, leaves the planner as it was. */
export interface PlannerPorts {
  /** The model's reply; asked with the purpose `plan`. */
  ask(prompt: string): Promise<string>;
  /** What the person says; null when nobody is there, and then the planner decides as with `autoRun`. */
  review(question: string): Promise<string | null>;
  /** Finds and reads the JSON in a reply of the model. `error` is half a sentence about what is wrong. */
  readJson(reply: string): { ok: true; value: JsonValue } | { ok: false; error: string };
  /** Ids of the messages it makes; random by default. */
  newId?(): string;
  /** Told what was left out of a reply. */
  warn?(message: string): void;
}

export interface PlannerOptions {
  goal?: string;
  /** A plan to go on with; `goal` is ignored then. */
  plan?: Plan;
  /** Decide without asking the person: plans are accepted, results by their success. Default false. */
  autoRun?: boolean;
  /** For the plans it makes. */
  planOptions?: PlanOptions;
}

/** Working memory that a question to the person shows. */
const REVIEW_CONTEXT = 5;

/**
 * Makes a plan with the model and the person, and keeps it in step with what the tasks come to (spec 10).
 *
 * Every operation happens as a whole or, when it throws, not at all: plan and working memory are then what they were. So work that was
 * interrupted is done again from its beginning, with the same answers.
 *
 * @example
 * const planner = new Planner({ ask, review, readJson: readJsonReply }, { autoRun: true });
 * await planner.updatePlan('Write a 2048 game');
 * await planner.processTaskResult({ result: 'Wrote /index.html', isSuccess: true });
 */
export class Planner {
  /** Replaced by `updatePlan` with a goal; changed in place otherwise. */
  plan: Plan;
  /** What was said since the plan last changed, oldest first; whoever works on a task may add to it. */
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
   * Asks the model for a plan, or for a change of the plan there is, until it is valid and confirmed. With a goal a new plan takes the
   * place of the old one. `maxTasks` is what the model is told; `maxRetries` counts replies that were no valid plan.
   *
   * @throws RoleZeroError `invalid` when the retries are used up, `aborted` when the person says exit.
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
   * Whether the person, or with `autoRun` the result's success, lets the work go on. What an unwilling person says is kept in the
   * working memory.
   *
   * @throws RoleZeroError `aborted` when the person says exit.
   */
  async askReview(
    taskResult?: TaskResult,
    autoRun = this.autoRun,
    trigger: ReviewTrigger = 'task',
    reviewContextLength = REVIEW_CONTEXT,
  ): Promise<Review> {
    const context = newest(this.workingMemory, reviewContextLength);
    return this.#review({ plan: this.plan, trigger, result: taskResult, context }, autoRun);
  }

  /** Takes what working on the current task came to: it is confirmed, done again, or the plan is changed (spec 10). */
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
   * Records the result of the current task and finishes it. A review with wishes beyond the confirmation then changes the plan.
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
      if (confirmsWithWishes(review)) {
        const draft = this.plan.copy();
        finish(draft);
        this.#say(UserMessage, review);
        tasks = await this.#agree(draft);
      }
      finish(this.plan);
      this.#apply(tasks);
    });
  }

  /** The plan as one message, then the working memory. The fields of `exclude` are left out of the tasks. */
  getUsefulMemories(exclude: readonly (keyof TaskData)[] = []): Message[] {
    return [this.#message(UserMessage, planContext(this.plan, exclude)), ...this.workingMemory];
  }

  /** What was done so far and what is to be done now, without the parts in `exclude`. */
  getPlanStatus(exclude: readonly WorkStatusPart[] = []): string {
    return workStatus(this.plan, exclude);
  }

  /** Tasks that are valid for a plan, which is not changed, and confirmed. What was said on the way is in the working memory. */
  async #agree(plan: Plan, maxTasks = 3, maxRetries = 3): Promise<Task[]> {
    let failures = 0;
    for (;;) {
      const known = [planContext(plan), ...this.workingMemory.map(String)];
      const reply = await this.#ports.ask(planPrompt({ context: known.join('\n\n'), maxTasks }));
      // The person sees the plan itself, not its JSON.
      const context = newest(this.workingMemory, REVIEW_CONTEXT);
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

  /** The tasks of a reply and the plan as it would be with them. */
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
      throw new RoleZeroError('aborted', 'The person ended the run at a review of the plan.', { review });
    }
    const confirmed = isConfirmed(review);
    if (!confirmed) this.#say(UserMessage, review);
    return { review, confirmed };
  }

  /** To be called with tasks that were checked, and after everything that may fail. */
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

function newest(messages: readonly Message[], count: number): Message[] {
  return count > 0 ? messages.slice(-count) : [];
}
