import type { PlanData } from '../../../src/core/events.js';
import type { Session } from '../../../src/session/session.js';
import type { Job } from '../simulation/jobs.js';
import { hash } from './hash.js';

/** The result of a job: the same however often it was interrupted. */
export interface Outcome {
  files: [path: string, hash: string][];
  plans: PlanData[];
}

/** Maximum number of visits until a job must be complete. */
const MOST_VISITS = 12;

/**
 * Answers, resumes or sends requests until the job is complete. Returns its outcome. @throws Error when it does not
 * complete.
 */
export async function goOn(session: Session, job: Job): Promise<Outcome> {
  let last = '';
  for (let visits = 0; visits < MOST_VISITS; visits++) {
    const { waiting } = session;
    if (waiting !== null) await session.answer(waiting.id, job.answer(waiting));
    const run = session.resumable ? await session.resume() : await session.send(job.request);
    const { status, error } = await run.result;
    if (status === 'done' && !session.resumable) return outcomeOf(session);
    last = `${status} ${error?.message ?? ''}`;
  }
  throw new Error(`the work of ${job.name} is not done after ${MOST_VISITS} visits: ${last}`);
}

async function outcomeOf(session: Session): Promise<Outcome> {
  const all = await session.files.readAll('/');
  return {
    files: all.map(({ path, content }) => [path, content === undefined ? '' : hash(content)]),
    plans: session.environment.roleNames.map((name) => session.plan(name)),
  };
}
