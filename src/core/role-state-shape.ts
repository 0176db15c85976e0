import { RoleZeroError } from './error.js';
import { isRecord } from './json.js';
import {
  count,
  dictionary,
  fields,
  flag,
  list,
  messageRow,
  nullable,
  oneOf,
  optional,
  problemIn,
  record,
  text,
  texts,
  toolCallShape,
  variant,
  type Shape,
} from './shape.js';

/*
 * The shape of a stored state of a role, wherever code relies on it. Tools and experience pools check their own parts. The state is checked,
 * not copied, so unknown fields stay. Documents of sessions are checked with it before they are imported.
 */

/** Version of a role's stored state; 2 since a turn has stages. */
export const ROLE_STATE_VERSION = 2;

const endedShape = fields({ summary: text });
const PAUSED = { paused: record };
const ending = variant('kind', { ended: endedShape, ...PAUSED });

const actStage: Shape = (value) =>
  fields({
    commands: list(fields({ name: text, args: record })),
    results: list(
      fields({
        name: text,
        ok: flag,
        output: text,
        from: optional(texts),
        composed: optional(flag),
        addresses: optional(texts),
      }),
    ),
    attempt: nullable(fields({ callId: text, retries: count, permission: optional(record) })),
    isStopped: flag,
    changed: optional(oneOf('maybe', 'surely')),
    notRun: optional(texts),
    ending: nullable(ending),
  })(value) ?? hasEnoughCommands(value);

const stageShape = variant('name', {
  classify: record,
  prepare: record,
  think: fields({ unreadableReplies: count }),
  act: actStage,
  finish: fields({
    ending: variant('kind', {
      ended: endedShape,
      ...PAUSED,
      answered: fields({ answer: text }),
      exhausted: record,
    }),
  }),
  procedure: fields({ isActionChosen: flag }),
  plan: fields({ hasPlan: flag }),
});

const limit = fields({ tokens: count, from: text, isEmpty: flag });

const turn = fields({
  id: text,
  request: nullable(messageRow),
  stage: stageShape,
  category: nullable(oneOf('QUICK', 'SEARCH', 'TASK', 'AMBIGUOUS')),
  step: count,
  limitFrom: count,
  usage: dictionary(count),
  userReply: nullable(fields({ text, step: count })),
  hasConsulted: flag,
  hasCheckedClaims: optional(flag),
  hasCheckedEnd: optional(flag),
  failedSteps: optional(count),
  failedCommands: optional(count),
  lastOutput: text,
  replies: dictionary(fields({ text, limit: nullable(limit), calls: optional(list(toolCallShape)) })),
  answers: dictionary(text),
  trace: fields({ startedAt: count, calls: list(record), replyId: text, commands: list(record) }),
  lastCall: optional(fields({ key: text, place: count })),
  isGivenUp: optional(oneOf(true)),
  offered: optional(texts),
  experience: optional(record),
});

const plan = fields({
  goal: text,
  context: text,
  currentTaskId: text,
  tasks: list(
    fields({ taskId: text, dependentTaskIds: texts, instruction: text, assignee: text, isFinished: flag }),
  ),
});

const lastResult = fields({
  status: oneOf('done', 'waiting', 'stopped', 'exhausted', 'failed'),
  summary: text,
  error: nullable(fields({ code: text, message: text })),
});

/** See `RoleState.private`. */
const trueOrText: Shape = (value) => (value === true ? null : text(value));
const textOrCount: Shape = (value) => (text(value) === null ? null : count(value));

const state = fields({
  phase: optional(oneOf('idle', 'classifying', 'thinking', 'acting', 'waiting-human', 'ended', 'failed')),
  actionIndex: optional(count),
  plan: optional(plan),
  workingMemory: optional(list(messageRow)),
  workedOn: optional(text),
  respondLanguage: optional(text),
  earlierGoals: optional(list(fields({ goal: text, language: text }))),
  tools: optional(dictionary(record)),
  turn: optional(nullable(turn)),
  question: optional(nullable(fields({ key: text, id: text }))),
  parts: optional(dictionary(record)),
  untrusted: optional(texts),
  reads: optional(dictionary(count)),
  private: optional(trueOrText),
  senders: optional(texts),
  secrets: optional(texts),
  output: optional(fields({ id: text, schema: record })),
  unread: optional(texts),
  sent: optional(dictionary(textOrCount)),
  request: optional(
    fields({
      files: count,
      commands: count,
      failures: count,
      ran: texts,
      failed: texts,
      editFailed: optional(flag),
      pages: texts,
    }),
  ),
  seenFiles: optional(dictionary(text)),
  notes: optional(texts),
  usage: optional(dictionary(count)),
  modelMs: optional(count),
  stepsTaken: optional(count),
  lastResult: optional(nullable(lastResult)),
});

function hasEnoughCommands(value: unknown): string | null {
  const { commands, results } = value as { commands: unknown[]; results: unknown[] };
  return results.length <= commands.length ? null : ' has more results than commands';
}

/** Returns what is wrong in a stored state of the current version, such as `its turn.step is not a number`; null when nothing is. */
export function roleStateProblem(value: unknown): string | null {
  return problemIn(state, value);
}

/**
 * Checks the version of a stored state. Returns it, or null when it is not a state at all.
 * @throws RoleZeroError `storage-version` when a newer release wrote it.
 */
export function roleStateVersion(value: unknown): number | null {
  const version = isRecord(value) ? value['version'] : null;
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) return null;
  if (version <= ROLE_STATE_VERSION) return version;
  throw new RoleZeroError(
    'storage-version',
    `The state of a role has version ${version}, and this release reads up to ${ROLE_STATE_VERSION}. Update this page; nothing was changed.`,
    { version, supported: ROLE_STATE_VERSION },
  );
}
