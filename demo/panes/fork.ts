import { RoleZeroError, sessions, type FileHistoryEntry, type Session, type StepTrace } from 'rolezero';
import type { GivenReply } from '../agent-config.js';
import { KeptPages } from '../kept-pages.js';
import { t } from '../text/index.js';

/** Replies and answers to replay up to the end of a step. */
interface ForkPlan {
  requests: readonly string[];
  replies: readonly GivenReply[];
  /** Answers of the user in order, by role: to questions and to approval requests. */
  answers: ReadonlyMap<string, readonly string[]>;
  leaves: ReadonlyMap<string, readonly string[]>;
  /** Steps until it is there. */
  steps: number;
  /** The files as they were before the agents changed any, and as they were after the step; null when that is not known any more. */
  before: Held | null;
  after: Held | null;
}

/** Files by their paths, each with what it held and where that came from. */
type FileInput = Parameters<Session['files']['writeAll']>[0][number];
type Held = ReadonlyMap<string, FileInput>;

/**
 * Collects what led to a step. Everything that was done is done again by the same replies. What the user put there before the agents
 * began is there again, and in the end the files are as they were after the step, the user's own changes among them.
 */
async function planOf(session: Session, roles: readonly string[], last: StepTrace): Promise<ForkPlan> {
  const pages = roles.map((role) => new KeptPages(session, role));
  await Promise.all(pages.map(wholeOf));
  if (pages.some((page) => page.steps.length >= MOST_STEPS))
    throw new RoleZeroError('invalid', t.forkTooLong);
  const steps = pages.flatMap((page) => page.steps).toSorted((one, other) => one.startedAt - other.startedAt);
  const at = steps.findLastIndex(({ role, startedAt }) => role === last.role && startedAt === last.startedAt);
  const kept = steps.slice(0, at + 1);
  const asked = (pages[0]?.messages ?? []).filter(({ causeBy }) => causeBy === 'UserRequirement');
  const reached = new Set(kept.map(({ requirement }) => requirement));
  // The last request that any of the steps was made for, and those before it.
  const request = asked.findLastIndex(({ id }) => reached.has(id));
  return {
    requests: asked.slice(0, request + 1).map(({ content }) => content),
    replies: kept.flatMap(({ role, calls }) =>
      calls.map(({ purpose, reply }) => ({ role, purpose, text: reply })),
    ),
    answers: answersIn(kept, false),
    leaves: answersIn(kept, true),
    steps: kept.length,
    ...(await filesOf(session, last)),
  };
}

async function wholeOf(page: KeptPages): Promise<void> {
  while (page.hasOlder) await page.older(MOST_STEPS);
}

/** No session keeps more of a role: what came before the oldest of so many cannot be done again. */
const MOST_STEPS = 2_000;

async function filesOf(session: Session, last: StepTrace): Promise<Pick<ForkPlan, 'before' | 'after'>> {
  const history = await session.files.history();
  const own = new Set(last.commands.map(({ callId }) => callId));
  const end = last.startedAt + last.durationMs;
  const begun = history.findIndex(({ by }) => by === 'agent');
  const reached = history.findLast(({ id, at }) => own.has(id) || at <= end);
  return {
    before: await heldAfter(session, begun < 0 ? history.at(-1) : history[begun - 1]),
    after: await heldAfter(session, reached),
  };
}

async function heldAfter({ files }: Session, change: FileHistoryEntry | undefined): Promise<Held | null> {
  if (change === undefined) return null;
  const there = (await files.after(change.id)).filter((file) => file.change !== 'removed');
  const held = there.map(async ({ path, untrusted = [] }) => {
    const content = await files.bytesAfter(change.id, path);
    return [path, { path, content, untrusted }] as const;
  });
  return new Map(await Promise.all(held));
}

/**
 * A session as it is now under another name, which is what a fork from its newest step is: nothing has to be done again, and everything
 * that led there may be forgotten. What the user has done to the files since then is not part of it.
 */
async function copy(session: Session, last: StepTrace, name: string): Promise<Held | null> {
  const { after } = await filesOf(session, last);
  await sessions.import(await session.export(), name);
  return after;
}

/** Says and answers everything in a session whose model gives the replies again; stops it at the end of the last step. */
async function replay(session: Session, plan: ForkPlan): Promise<void> {
  const { requests, answers, leaves, steps, before, after } = plan;
  let taken = 0;
  const left = { question: copyOf(answers), approval: copyOf(leaves) };
  if (before !== null) await restore(session, before);
  const off = session.on((event) => {
    if (event.type === 'step-end' && ++taken >= steps) session.running?.stop();
  });
  try {
    for (const request of requests) {
      if (taken >= steps) break;
      await session.send(request).result();
      // A run rests with its question.
      for (let asked = session.waiting; asked !== null && taken < steps; asked = session.waiting) {
        const answer = left[asked.kind].get(asked.role)?.shift();
        if (answer === undefined) break;
        await session.answer(asked.id, answer);
        await session.resume().result();
      }
    }
  } finally {
    off();
  }
  if (taken < steps) throw new RoleZeroError('invalid', t.forkFailed);
  if (after !== null) await restore(session, after);
}

/** Makes the files those that are given. */
async function restore({ files }: Session, held: Held): Promise<void> {
  const there = (await files.list()).filter(({ type }) => type === 'file');
  for (const { path } of there) if (!held.has(path)) await files.remove(path);
  await files.writeAll([...held.values()], { existing: 'replace', name: 'fork' });
}

function copyOf(answers: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  return new Map([...answers].map(([role, texts]) => [role, [...texts]]));
}

/** The keys of answers tell leave for a command from a question. */
function answersIn(steps: readonly StepTrace[], leave: boolean): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const { role, answers } of steps) {
    const own = Object.entries(answers)
      .filter(([key]) => key.startsWith('approve:') === leave)
      .map(([, answer]) => answer);
    found.set(role, [...(found.get(role) ?? []), ...own]);
  }
  return found;
}

export const fork = { planOf, replay, copy, restore };
