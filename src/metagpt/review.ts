import type { Message } from '../core/message.js';
import type { Plan } from '../plan/plan.js';
import type { TaskResult } from '../plan/task.js';

/** Subject of a review: `task` for a task's result or the plan, `code` for code that may be rewritten. */
export type ReviewTrigger = 'task' | 'code';

/** Answer of the user about a plan or a result. `review` is empty when no user was asked. */
export interface Review {
  review: string;
  confirmed: boolean;
}

const CONFIRM = 'confirm';
const CONTINUE_WORDS: ReadonlySet<string> = new Set([CONFIRM, 'continue', 'c', 'yes', 'y']);
const REDO = 'redo';
const EXIT = 'exit';

/** Maximum number of characters of one message or result in a question to the user. */
const MAX_REVIEWED_TEXT = 1_000;

/** Returns true for one of the continue words alone, or any text that contains "confirm". */
export function isConfirmed(review: string): boolean {
  const answer = normalizeAnswer(review);
  return CONTINUE_WORDS.has(answer) || answer.includes(CONFIRM);
}

/** Returns true for a confirmation with further requests, such as `confirm, but drop task 3`. */
export function confirmsWithChanges(review: string): boolean {
  const answer = normalizeAnswer(review);
  if (!answer.includes(CONFIRM)) return false;
  const rest = answer.replace(/confirm(ed)?/g, ' ').match(/[\p{L}\p{N}]+/gu) ?? [];
  return rest.some((word) => !CONTINUE_WORDS.has(word));
}

/** Returns true when the answer asks to redo the task. */
export function asksForRedo(review: string): boolean {
  return normalizeAnswer(review).includes(REDO);
}

/** Returns true when the answer ends the run. */
export function isExit(review: string): boolean {
  return normalizeAnswer(review) === EXIT;
}

/** Returns the question to the user: the plan, the result to judge, and the available answers. */
export function reviewQuestion(about: {
  plan: Plan;
  trigger: ReviewTrigger;
  result?: TaskResult | undefined;
  /** Newest messages of the working memory. */
  context: readonly Message[];
}): string {
  const { plan, trigger, result, context } = about;
  const tasks = plan.tasks.map(
    (task) => `${task.taskId}: ${task.instruction}, is_finished: ${task.isFinished}`,
  );
  const parts = [
    `This is a <${trigger}> review. The plan:\n${tasks.length === 0 ? '(no tasks)' : tasks.join('\n')}`,
    ...(context.length === 0
      ? []
      : [`Latest messages:\n${context.map((each) => shortenReviewed(String(each))).join('\n')}`]),
    ...(result === undefined
      ? []
      : [
          `Result of task ${plan.currentTaskId} (${result.isSuccess ? 'success' : 'failed'}):\n${shortenReviewed(result.result)}`,
        ]),
    `To continue, answer one of: ${[...CONTINUE_WORDS].join(', ')}. ` +
      `${CHANGE_HINTS[trigger]} To end the run, answer: ${EXIT}.`,
  ];
  return parts.join('\n\n');
}

const CHANGE_HINTS: Record<ReviewTrigger, string> = {
  task: `To change, add, remove or merge tasks, say which and how, for example "change task 2: …". To have a task done again, say ${REDO} and why.`,
  code: `To have the code written again, say ${REDO} and what should be different.`,
};

function normalizeAnswer(review: string): string {
  return review.trim().toLowerCase();
}

function shortenReviewed(text: string): string {
  return text.length > MAX_REVIEWED_TEXT ? `${text.slice(0, MAX_REVIEWED_TEXT)}…` : text;
}
