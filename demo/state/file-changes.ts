import type { FileHistoryEntry, StepTrace } from 'rolezero';

/** File changes of a step. */
export interface FileChanges {
  /** Number for undo. */
  step: string;
  paths: string[];
  undone: boolean;
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
