import * as z from 'zod/mini';
import { RoleZeroError } from '../base/error.js';
import { read } from '../base/schema.js';

/** Issues that are told. */
const MAX_ISSUES = 3;

/**
 * What a stored state must look like wherever code relies on it. Fields of earlier and later releases may be missing or more; what tools
 * and experiences keep for themselves is theirs to read. The state is looked at, not copied, so what these objects leave out of theirs is kept.
 */
function makeSchema() {
  const text = z.string();
  const texts = z.array(text);
  const flag = z.boolean();
  const count = z.number();
  const counts = z.record(text, count);
  const fields = z.record(text, z.unknown());
  const message = z.object({ id: text, content: z.optional(text) });
  const command = z.object({ name: text, args: fields });
  const result = z.object({
    name: text,
    ok: flag,
    output: text,
    from: z.optional(texts),
    composed: z.optional(flag),
  });
  const usage = counts;
  const task = z.object({
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
      intent: z.nullable(text),
      again: z.optional(count),
      stopped: flag,
    })
    .check(
      z.refine(
        ({ commands, results }) => results.length <= commands.length,
        'has more results than commands',
      ),
    );
  const ended = z.object({
    status: z.enum(['done', 'waiting', 'stopped', 'exhausted', 'failed']),
    summary: text,
    error: z.nullable(z.object({ code: text, message: text })),
  });
  const reaction = z.extend(
    z.partial(
      z.object({
        trigger: z.nullable(message),
        chosen: flag,
        intent: z.nullable(z.enum(['QUICK', 'SEARCH', 'TASK', 'AMBIGUOUS'])),
        prepared: flag,
        commandReply: z.nullable(text),
        cut: flag,
        limit: z.object({ tokens: count, from: text, isEmpty: flag }),
        steps: count,
        totalSteps: count,
        unreadable: count,
        replied: flag,
        repliedAt: count,
        conferred: flag,
        batch: z.nullable(batch),
        ended: flag,
        paused: flag,
        reply: text,
        summary: text,
        outputs: text,
        answers: z.record(text, text),
        approvedAt: counts,
        replies: z.record(text, text),
        usage,
        grant: z.object({ rounds: count, asked: count }),
        grants: z.record(text, flag),
        asked: counts,
        trace: z.object({
          startedAt: count,
          calls: z.array(fields),
          replyId: text,
          commands: z.array(fields),
        }),
        offered: texts,
        experience: fields,
      }),
    ),
    { id: text },
  );
  return z.partial(
    z.object({
      phase: z.enum(['idle', 'classifying', 'thinking', 'acting', 'waiting-human', 'ended', 'failed']),
      state: count,
      plan: z.object({ goal: text, context: text, currentTaskId: text, tasks: z.array(task) }),
      workingMemory: z.array(message),
      respondLanguage: text,
      earlierGoals: z.array(z.object({ goal: text, language: text })),
      tools: z.record(text, fields),
      reaction: z.nullable(reaction),
      question: z.nullable(z.object({ key: text, id: text })),
      recalled: z.object({ for: text, ids: texts }),
      untrusted: texts,
      private: z.literal(true),
      grants: texts,
      untold: texts,
      said: z.record(text, z.union([text, count])),
      notes: texts,
      usage,
      modelMs: count,
      stepsTaken: count,
      lastResult: z.nullable(ended),
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
