import {
  RoleZeroError,
  sessions,
  type FileHistoryEntry,
  type MessageData,
  type Session,
  type StepTrace,
} from 'rolezero';
import type { GivenReply } from '../agent-config.js';
import { t } from '../text/index.js';

/** Replies and answers to replay up to the end of a step. */
interface ForkPlan {
  requests: readonly string[];
  replies: readonly GivenReply[];
  /** Answers of the user to questions, in order, by role. */
  answers: ReadonlyMap<string, readonly string[]>;
  /** Answers to approval requests, by role and arguments of the command. A command that ran without a request has a yes. */
  approvals: ReadonlyMap<string, string>;
  /** Number of steps until then. */
  steps: number;
  /** The files before the agents changed any, and after the step; null when unknown. */
  before: Held | null;
  after: Held | null;
}

/** Files by path, with content and source. */
type FileInput = Parameters<Session['files']['writeAll']>[0][number];
type Held = ReadonlyMap<string, FileInput>;

/**
 * Collects what led to a step. All steps are repeated with the same replies. Files that the user added before are
 * restored, and in the end the files are as they were after the step, including the user's own changes.
 */
async function planOf(session: Session, roles: readonly string[], last: StepTrace): Promise<ForkPlan> {
  const known = await Promise.all(roles.map((role) => session.steps({ role, last: MOST_STEPS })));
  if (known.some(({ length }) => length >= MOST_STEPS)) throw new RoleZeroError('invalid', t.forkTooLong);
  const steps = known.flat().toSorted((one, other) => one.startedAt - other.startedAt);
  const at = steps.findLastIndex(({ role, startedAt }) => role === last.role && startedAt === last.startedAt);
  const copied = steps.slice(0, at + 1);
  const asked = await requestsTo(session, roles[0]);
  const reached = new Set(copied.map(({ requirement }) => requirement));
  // The last request of these steps, and the ones before it.
  const request = asked.findLastIndex(({ id }) => reached.has(id));
  return {
    requests: asked.slice(0, request + 1).map(({ content }) => content),
    replies: copied.flatMap(({ role, calls }) =>
      calls.map(({ purpose, reply }) => ({ role, purpose, text: reply })),
    ),
    answers: answersIn(copied),
    approvals: approvalsIn(copied),
    steps: copied.length,
    ...(await filesOf(session, last)),
  };
}

/** The requests to a role, oldest first: those of its long-term memory, and those of its window. */
async function requestsTo(session: Session, role: string | undefined): Promise<MessageData[]> {
  const query = role === undefined ? {} : { role };
  const [memories, window] = await Promise.all([
    session.memory.list({ ...query, limit: MOST_MEMORIES }),
    session.messages(query),
  ]);
  const own = memories.filter(({ shared }) => shared === undefined || shared.session === session.name);
  const messages = [...own.map(({ message }) => message), ...window];
  const byId = new Map(messages.map((message) => [message.id, message]));
  return [...byId.values()].filter(({ causeBy }) => causeBy === 'UserRequirement');
}

/** Maximum number of memories that are read. */
const MOST_MEMORIES = 1_000_000;
/** Steps stored per role; steps before the oldest one cannot be replayed. */
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
 * Copies a session under another name: a fork from its newest step. Nothing is replayed, and the history may be
 * incomplete. File changes of the user since then are not part of it.
 */
async function copy(session: Session, last: StepTrace, name: string): Promise<Held | null> {
  const { after } = await filesOf(session, last);
  await sessions.import(await session.export(), name);
  return after;
}

/** Sends and answers everything in a session whose model repeats the replies; stops it at the end of the last step. */
async function replay(session: Session, plan: ForkPlan): Promise<void> {
  const { requests, answers, approvals, steps, before, after } = plan;
  let taken = 0;
  const left = copyOf(answers);
  if (before !== null) await restore(session, before);
  const off = session.on((event) => {
    if (event.type === 'step-end' && ++taken >= steps) session.running?.stop();
  });
  try {
    for (const request of requests) {
      if (taken >= steps) break;
      await session.send(request).result();
      // A run waits with its question.
      for (let asked = session.waiting; asked !== null && taken < steps; asked = session.waiting) {
        const answer =
          asked.kind === 'question'
            ? left.get(asked.role)?.shift()
            : approvals.get(commandKey(asked.role, asked.command?.args));
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

/** Makes the files equal to the given ones. */
async function restore({ files }: Session, held: Held): Promise<void> {
  const there = (await files.list()).filter(({ type }) => type === 'file');
  for (const { path } of there) if (!held.has(path)) await files.remove(path);
  await files.writeAll([...held.values()], { existing: 'replace', name: 'fork' });
}

function copyOf(answers: ReadonlyMap<string, readonly string[]>): Map<string, string[]> {
  return new Map([...answers].map(([role, texts]) => [role, [...texts]]));
}

function approvalsIn(steps: readonly StepTrace[]): Map<string, string> {
  return new Map(
    steps.flatMap(({ role, commands }) =>
      commands.map(({ args, permission }) => {
        const answer = permission?.answer === 'no' ? 'no' : 'yes';
        return [commandKey(role, args), answer] as const;
      }),
    ),
  );
}

function commandKey(role: string, args: unknown): string {
  return JSON.stringify([role, args]);
}

/** Returns the answers to questions; the keys of approvals begin with `approve:`. */
function answersIn(steps: readonly StepTrace[]): Map<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const { role, answers } of steps) {
    const own = Object.entries(answers)
      .filter(([key]) => !key.startsWith('approve:'))
      .map(([, answer]) => answer);
    found.set(role, [...(found.get(role) ?? []), ...own]);
  }
  return found;
}

export const fork = { planOf, replay, copy, restore };
