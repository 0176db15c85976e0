import type { AuditEntry, StepTrace } from './events.js';

/** Returns the commands of some steps as audit entries, in order. */
export function auditOf(steps: readonly StepTrace[]): AuditEntry[] {
  return steps.flatMap(({ role, requirement, step, startedAt: at, replyId, observationId, commands }) =>
    commands.map((command) => ({ role, requirement, step, at, replyId, observationId, ...command })),
  );
}
