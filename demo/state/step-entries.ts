import type { FileHistoryEntry, StepTrace } from 'rolezero';
import type { Entry } from './conversation.js';

/** File changes of a step. */
export interface FileChanges {
  /** Number for undo. */
  step: string;
  paths: string[];
  undone: boolean;
}

/** Maps steps of the conversation to traces with the same reply. */
export function stepEntries(entries: readonly Entry[], steps: readonly StepTrace[]): Map<Entry, StepTrace> {
  const traces = new Map(steps.map((step) => [step.replyId, step]));
  const found = new Map<Entry, StepTrace>();
  for (const entry of entries) {
    const trace = entry.kind === 'step' && entry.id !== null ? traces.get(entry.id) : undefined;
    if (trace !== undefined) found.set(entry, trace);
  }
  return found;
}

/** The file changes of a step; null when there are none. */
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
