import type { Message } from '../base/message.js';
import type { Plan } from './plan.js';
import type { TaskResult } from './task.js';

/** What is reviewed: a task's result or the plan itself, or code that may be written again. */
export type ReviewTrigger = 'task' | 'code';

/** What a person said about a plan or a result; `review` is empty when nobody was asked. */
export interface Review {
  review: string;
  confirmed: boolean;
}

const CONFIRM = 'confirm';
const CONTINUE_WORDS: ReadonlySet<string> = new Set([CONFIRM, 'continue', 'c', 'yes', 'y']);
const REDO = 'redo';
const EXIT = 'exit';

/** Characters of one message or result that a question shows at most: it is read by a person. */
const MAX_SHOWN = 1_000;

/** One of the words alone, or any sentence with "confirm" in it (spec 10). */
export function isConfirmed(review: string): boolean {
  const said = normal(review);
  return CONTINUE_WORDS.has(said) || said.includes(CONFIRM);
}

/** A confirmation that also asks for something: `confirm, but drop task 3`. */
export function confirmsWithWishes(review: string): boolean {
  const said = normal(review);
  if (!said.includes(CONFIRM)) return false;
  const rest = said.replace(/confirm(ed)?/g, ' ').match(/[\p{L}\p{N}]+/gu) ?? [];
  return rest.some((word) => !CONTINUE_WORDS.has(word));
}

/** The task is to be done again as it is. */
export function asksForRedo(review: string): boolean {
  return normal(review).includes(REDO);
}

/** The run is to end here. */
export function isExit(review: string): boolean {
  return normal(review) === EXIT;
}

/** What the person is asked: the plan, what there is to judge, and the words that can be used. */
export function reviewQuestion(about: {
  plan: Plan;
  trigger: ReviewTrigger;
  result?: TaskResult | undefined;
  /** The newest of the working memory. */
  context: readonly Message[];
}): string {
  const { plan, trigger, result, context } = about;
  const tasks = plan.tasks.map(
    (task) => `${task.taskId}: ${task.instruction}, is_finished: ${task.isFinished}`,
  );
  const parts = [
    `This is a <${trigger}> review. The plan:\n${tasks.length === 0 ? '(no tasks)' : tasks.join('\n')}`,
    ...(context.length === 0 ? [] : [`Last said:\n${context.map((each) => shown(String(each))).join('\n')}`]),
    ...(result === undefined
      ? []
      : [
          `Result of task ${plan.currentTaskId} (${result.isSuccess ? 'success' : 'failed'}):\n${shown(result.result)}`,
        ]),
    `To go on, answer one of: ${[...CONTINUE_WORDS].join(', ')}. ` +
      `${CHANGES[trigger]} To end the run, answer: ${EXIT}.`,
  ];
  return parts.join('\n\n');
}

const CHANGES: Record<ReviewTrigger, string> = {
  task: `To change, add, remove or merge tasks, say which and how, for example "change task 2: …". To have a task done again, say ${REDO} and why.`,
  code: `To have the code written again, say ${REDO} and what should be different.`,
};

function normal(review: string): string {
  return review.trim().toLowerCase();
}

function shown(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
