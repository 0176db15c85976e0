import * as z from 'zod';
import { RoleZeroError } from '../base/error.js';

/** Issues that are told. */
const MAX_ISSUES = 3;

/**
 * What a stored state must look like wherever code relies on it. Fields of earlier and later releases may be missing or more; what tools
 * and experiences keep for themselves is theirs to read.
 */
function makeSchema() {
  const text = z.string();
  const texts = z.array(text);
  const flag = z.boolean();
  const count = z.number();
  const counts = z.record(text, count);
  const fields = z.record(text, z.unknown());
  const message = z.looseObject({ id: text, content: text.optional() });
  const command = z.looseObject({ name: text, args: fields });
  const result = z.looseObject({ name: text, ok: flag, output: text, from: texts.optional() });
  const usage = counts;
  const task = z.looseObject({
    taskId: text,
    dependentTaskIds: texts,
    instruction: text,
    assignee: text,
    isFinished: flag,
  });
  const batch = z
    .looseObject({
      commands: z.array(command),
      results: z.array(result),
      intent: text.nullable(),
      again: count.optional(),
      stopped: flag,
    })
    .refine(({ commands, results }) => results.length <= commands.length, 'has more results than commands');
  const ended = z.looseObject({
    status: z.enum(['done', 'waiting', 'stopped', 'exhausted', 'failed']),
    summary: text,
    error: z.looseObject({ code: text, message: text }).nullable(),
  });
  const reaction = z
    .looseObject({
      trigger: message.nullable(),
      chosen: flag,
      intent: z.enum(['QUICK', 'SEARCH', 'TASK', 'AMBIGUOUS']).nullable(),
      prepared: flag,
      commandReply: text.nullable(),
      cut: flag,
      steps: count,
      totalSteps: count,
      unreadable: count,
      replied: flag,
      repliedAt: count,
      conferred: flag,
      batch: batch.nullable(),
      ended: flag,
      paused: flag,
      reply: text,
      summary: text,
      outputs: text,
      answers: z.record(text, text),
      approvedAt: counts,
      replies: z.record(text, text),
      usage,
      grant: z.looseObject({ rounds: count, asked: count }),
      grants: z.record(text, flag),
      asked: counts,
      trace: z.looseObject({
        startedAt: count,
        calls: z.array(fields),
        replyId: text,
        commands: z.array(fields),
      }),
      offered: texts,
      experience: fields,
    })
    .partial()
    .extend({ id: text });
  return z
    .looseObject({
      phase: z.enum(['idle', 'classifying', 'thinking', 'acting', 'waiting-human', 'ended', 'failed']),
      state: count,
      plan: z.looseObject({ goal: text, context: text, currentTaskId: text, tasks: z.array(task) }),
      workingMemory: z.array(message),
      respondLanguage: text,
      earlierGoals: z.array(z.looseObject({ goal: text, language: text })),
      tools: z.record(text, fields),
      reaction: reaction.nullable(),
      question: z.looseObject({ key: text, id: text }).nullable(),
      recalled: z.looseObject({ for: text, ids: texts }),
      untrusted: texts,
      private: z.literal(true),
      grants: texts,
      untold: texts,
      said: z.record(text, z.union([text, count])),
      notes: texts,
      usage,
      modelMs: count,
      stepsTaken: count,
      lastResult: ended.nullable(),
    })
    .partial();
}

/** Made when the first state is read: zod finds out at its first object whether it may make code of text, unless it was told not to. */
let schema: ReturnType<typeof makeSchema> | null = null;

/** @throws RoleZeroError `storage-corrupt` naming what in a stored state of a role cannot be, and where. */
export function checkStoredState(value: unknown): void {
  schema ??= makeSchema();
  const read = schema.safeParse(value);
  if (read.success) return;
  const issues = read.error.issues
    .slice(0, MAX_ISSUES)
    .map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new RoleZeroError(
    'storage-corrupt',
    `The stored state of a role cannot be read (${issues.join('; ')}). Import an export of the session, or remove it.`,
    { issues },
  );
}
