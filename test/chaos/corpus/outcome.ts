import type { PlanData } from '../../../src/core/events.js';
import type { Session } from '../../../src/session/session.js';
import type { Job } from '../simulation/jobs.js';
import { hash } from './hash.js';

/** What work came to: the same however often it was interrupted. */
export interface Outcome {
  files: [path: string, hash: string][];
  plans: PlanData[];
}

/** Visits until work must be done. */
const MOST_VISITS = 12;

/** Answers, resumes or asks, until the work is done; what it came to. @throws Error when it does not come to its end. */
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
