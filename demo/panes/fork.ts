import { RoleZeroError, type Session, type StepTrace } from 'rolezero';
import type { GivenReply } from '../agent-config.js';
import { t } from '../text/index.js';

/** What has to be said and answered once more to come to the end of a step. */
export interface ForkPlan {
  requests: readonly string[];
  replies: readonly GivenReply[];
  /** What people answered, in order: to questions, and when they were asked for leave. */
  answers: readonly string[];
  leaves: readonly string[];
  /** Steps until it is there. */
  steps: number;
}

/**
 * Collects what led to a step. Everything that was done is done again by the same replies; what the person changed in files by themselves
 * is not among it.
 */
async function planOf(session: Session, steps: readonly StepTrace[], upTo: number): Promise<ForkPlan> {
  const kept = steps.slice(0, upTo + 1);
  const asked = (await session.messages()).filter(({ causeBy }) => causeBy === 'UserRequirement');
  const reached = new Set(kept.map(({ requirement }) => requirement));
  // The last request that any of the steps was made for, and those before it.
  const last = asked.findLastIndex(({ id }) => reached.has(id));
  return {
    requests: asked.slice(0, last + 1).map(({ content }) => content),
    replies: kept.flatMap(({ role, calls }) =>
      calls.map(({ purpose, reply }) => ({ role, purpose, text: reply })),
    ),
    answers: answersIn(kept, false),
    leaves: answersIn(kept, true),
    steps: kept.length,
  };
}

/** Says and answers everything in a session whose model gives the replies again; stops it at the end of the last step. */
async function replay(session: Session, { requests, answers, leaves, steps }: ForkPlan): Promise<void> {
  let taken = 0;
  const left = { 'human-question': [...answers], 'approval-request': [...leaves] };
  const off = session.on((event) => {
    if (event.type === 'step-end' && ++taken >= steps) session.running?.stop();
    if (event.type !== 'human-question' && event.type !== 'approval-request') return;
    const answer = left[event.type].shift();
    if (answer === undefined) session.running?.stop();
    else void session.answer(event.question.id, answer);
  });
  try {
    for (const request of requests) {
      if (taken >= steps) break;
      await session.send(request).result();
    }
  } finally {
    off();
  }
  if (taken < steps) throw new RoleZeroError('invalid', t.forkFailed);
}

/** The keys of answers tell leave for a command from a question. */
function answersIn(steps: readonly StepTrace[], leave: boolean): string[] {
  return steps
    .flatMap(({ answers }) => Object.entries(answers))
    .filter(([key]) => key.startsWith('approve:') === leave)
    .map(([, answer]) => answer);
}

export const fork = { planOf, replay };
