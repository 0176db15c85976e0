import { isDeepStrictEqual } from 'node:util';
import { failure, shown } from './checks.js';
import type { Attempted, Evaluate, Failure, Task } from './task.js';

/** Phrases with which a model refuses. They only decide about the cause of a failure. */
const REFUSAL =
  /\b(?:I (?:cannot|can['’]t|will not|won['’]t|must decline)|I['’]?(?: a)?m (?:unable|not able|not allowed|sorry)|sorry, but|unable to help)\b/iu;

/** Returns why an attempt failed, or null. The result counts only when the loop reached its end. */
export async function judge(
  task: Task,
  { result, stopped }: Attempted,
  evaluate: Evaluate,
): Promise<Failure | null> {
  const [question] = result.questions;
  if (question !== undefined && task.answers === undefined)
    return failure('asked needlessly', `The model asked: ${shown(question)}`);
  if (stopped !== null) return stopped;
  const failed = await task.check(result, evaluate);
  if (failed?.cause !== 'not done') return failed;
  const didNothing = isDeepStrictEqual({ ...result.files }, { ...task.files });
  return didNothing && REFUSAL.test(result.answer)
    ? failure('refused wrongly', `The model refused: ${shown(result.answer)}`)
    : failed;
}
