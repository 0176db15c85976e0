import * as z from 'zod/mini';
import { RoleZeroError } from '../../core/error.js';
import { read } from '../../core/schema.js';

/** Issues that an error names. */
const MAX_ISSUES = 3;

/*
 * The shape of a stored state, wherever code relies on it. Tools and experience pools check their own parts. The state is checked, not
 * copied, so unknown fields stay.
 */

/** Schemas that several parts of the state use. */
function makeCommon() {
  const text = z.string();
  const count = z.number();
  return {
    text,
    texts: z.array(text),
    flag: z.boolean(),
    count,
    fields: z.record(text, z.unknown()),
    message: z.object({ id: text, content: z.optional(text) }),
    usage: z.record(text, count),
  };
}

type Common = ReturnType<typeof makeCommon>;

function makeStage(common: Common) {
  const { text, flag, count } = common;
  const summary = z.object({ kind: z.literal('ended'), summary: text });
  const paused = z.object({ kind: z.literal('paused') });
  return z.discriminatedUnion('name', [
    z.object({ name: z.literal('classify') }),
    z.object({ name: z.literal('prepare') }),
    z.object({ name: z.literal('think'), unreadableReplies: count }),
    makeAct(common, z.nullable(z.union([summary, paused]))),
    z.object({
      name: z.literal('finish'),
      ending: z.union([
        summary,
        paused,
        z.object({ kind: z.literal('answered'), answer: text }),
        z.object({ kind: z.literal('exhausted') }),
      ]),
    }),
    z.object({ name: z.literal('procedure'), isActionChosen: flag }),
    z.object({ name: z.literal('plan'), hasPlan: flag }),
  ]);
}

/** The stage that runs commands. */
function makeAct({ text, texts, flag, count, fields }: Common, ending: z.ZodMiniType) {
  const command = z.object({ name: text, args: fields });
  const result = z.object({
    name: text,
    ok: flag,
    output: text,
    from: z.optional(texts),
    composed: z.optional(flag),
    addresses: z.optional(texts),
  });
  return z
    .looseObject({
      name: z.literal('act'),
      commands: z.array(command),
      results: z.array(result),
      attempt: z.nullable(z.object({ callId: text, retries: count })),
      isStopped: flag,
      ending,
    })
    .check(
      z.refine(
        ({ commands, results }) => results.length <= commands.length,
        'has more results than commands',
      ),
    );
}

function makeTurn(common: Common) {
  const { text, texts, flag, count, fields, message, usage } = common;
  const limit = z.object({ tokens: count, from: text, isEmpty: flag });
  return z.object({
    id: text,
    request: z.nullable(message),
    stage: makeStage(common),
    category: z.nullable(z.enum(['QUICK', 'SEARCH', 'TASK', 'AMBIGUOUS'])),
    step: count,
    limitFrom: count,
    usage,
    userReply: z.nullable(z.object({ text, step: count })),
    hasConsulted: flag,
    lastOutput: text,
    replies: z.record(text, z.object({ text, limit: z.nullable(limit) })),
    answers: z.record(text, text),
    trace: z.object({
      startedAt: count,
      calls: z.array(fields),
      replyId: text,
      commands: z.array(fields),
    }),
    offered: z.optional(texts),
    experience: z.optional(fields),
  });
}

function makePlan({ text, texts, flag }: Common) {
  const task = z.object({
    taskId: text,
    dependentTaskIds: texts,
    instruction: text,
    assignee: text,
    isFinished: flag,
  });
  return z.object({ goal: text, context: text, currentTaskId: text, tasks: z.array(task) });
}

function makeLastResult({ text }: Common) {
  return z.object({
    status: z.enum(['done', 'waiting', 'stopped', 'exhausted', 'failed']),
    summary: text,
    error: z.nullable(z.object({ code: text, message: text })),
  });
}

function makeSchema() {
  const common = makeCommon();
  const { text, texts, count, fields, message, usage } = common;
  return z.partial(
    z.object({
      phase: z.enum(['idle', 'classifying', 'thinking', 'acting', 'waiting-human', 'ended', 'failed']),
      actionIndex: count,
      plan: makePlan(common),
      workingMemory: z.array(message),
      respondLanguage: text,
      earlierGoals: z.array(z.object({ goal: text, language: text })),
      tools: z.record(text, fields),
      turn: z.nullable(makeTurn(common)),
      question: z.nullable(z.object({ key: text, id: text })),
      recalled: z.object({ for: text, ids: texts }),
      untrusted: texts,
      delegated: texts,
      private: z.literal(true),
      output: z.object({ id: text, schema: fields }),
      unread: texts,
      said: z.record(text, z.union([text, count])),
      notes: texts,
      usage,
      modelMs: count,
      stepsTaken: count,
      lastResult: z.nullable(makeLastResult(common)),
    }),
  );
}

/** Made when the first state is read, not when the module is loaded. */
let schema: ReturnType<typeof makeSchema> | null = null;

/** @throws RoleZeroError `storage-corrupt` naming what in a stored state of a role cannot be, and where. */
export function checkStoredState(value: unknown): void {
  schema ??= makeSchema();
  const { error } = read(schema, value);
  if (error === undefined) return;
  const issues = error.issues
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new RoleZeroError(
    'storage-corrupt',
    `The stored state of a role cannot be read (${issues.join('; ')}). Import an export of the session, or remove it.`,
    { issues },
  );
}
