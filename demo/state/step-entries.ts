import type { FileHistoryEntry, StepTrace } from 'rolezero';
import type { Entry } from './conversation.js';

/** What a step did to files. */
export interface FileChanges {
  /** For the undo. */
  step: string;
  paths: string[];
  undone: boolean;
}

/** Which trace each step of the conversation has: each role's steps and their traces are in the same order. */
export function stepEntries(entries: readonly Entry[], steps: readonly StepTrace[]): Map<Entry, StepTrace> {
  const left = new Map<string, StepTrace[]>();
  for (const step of steps) {
    if (step.replyId === '' || (step.commands.length === 0 && step.observationId === '')) continue;
    left.set(step.role, [...(left.get(step.role) ?? []), step]);
  }
  const found = new Map<Entry, StepTrace>();
  for (const entry of entries) {
    if (entry.kind !== 'step') continue;
    const trace = left.get(entry.role)?.shift();
    if (trace !== undefined) found.set(entry, trace);
  }
  return found;
}

/** What a step did to files; null when it did nothing to them. */
export function changesOf(
  { role, commands }: Pick<StepTrace, 'role' | 'commands'>,
  history: readonly FileHistoryEntry[],
): FileChanges | null {
  const calls = new Set(commands.map(({ callId }) => callId));
  const made = history.filter(
    (entry) => entry.role === role && calls.has(entry.id) && entry.paths.length > 0,
  );
  const [first] = made;
  if (first === undefined) return null;
  return {
    step: first.step,
    paths: [...new Set(made.flatMap(({ paths }) => paths))].sort(),
    undone: made.every(({ undone }) => undone),
  };
}
