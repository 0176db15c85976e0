import type { AuditEntry, StepTrace } from './events.js';

/** The commands of some steps, one after the other. */
export function auditOf(steps: readonly StepTrace[]): AuditEntry[] {
  return steps.flatMap(({ role, requirement, step, startedAt: at, replyId, observationId, commands }) =>
    commands.map((command) => ({ role, requirement, step, at, replyId, observationId, ...command })),
  );
}
