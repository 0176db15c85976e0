import type { FileHistoryEntry, StepTrace } from 'rolezero';
import type { Entry } from './conversation.js';

/** What a step did to files. */
export interface FileChanges {
  /** For the undo. */
  step: string;
  paths: string[];
  undone: boolean;
}

/** Which trace each step of the conversation has: that of the same reply. */
export function stepEntries(entries: readonly Entry[], steps: readonly StepTrace[]): Map<Entry, StepTrace> {
  const traces = new Map(steps.map((step) => [step.replyId, step]));
  const found = new Map<Entry, StepTrace>();
  for (const entry of entries) {
    const trace = entry.kind === 'step' && entry.id !== null ? traces.get(entry.id) : undefined;
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
