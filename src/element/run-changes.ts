import type { FileHistoryEntry } from '../core/files.js';
import type { StepTrace } from '../core/events.js';
import type { Entry } from './conversation.js';

/** The file changes of a run, as far as they are known. */
export interface RunChanges {
  /** Id of its request. */
  request: string;
  /** Changed files, sorted, and whether each is undone. */
  files: readonly { path: string; undone: boolean }[];
}

/** Returns the file changes of the runs by the place of their last entry. Runs without a stored request, or without changes, have none. */
export function changesOfRuns({
  entries,
  steps,
  history,
}: {
  entries: readonly Entry[];
  steps: readonly StepTrace[];
  history: readonly FileHistoryEntry[];
}): ReadonlyMap<number, RunChanges> {
  const calls = new Map(
    steps.map(({ replyId, commands }) => [replyId, commands.map(({ callId }) => callId)]),
  );
  const made = new Map(history.map((entry) => [entry.id, entry]));
  const runs = new Map<number, RunChanges>();
  let request: string | null = null;
  let files = new Map<string, boolean>();
  for (const [index, entry] of entries.entries()) {
    if (entry.kind === 'request') {
      request = entry.id;
      files = new Map<string, boolean>();
    }
    for (const callId of calls.get(entry.id ?? '') ?? []) {
      const { paths = [], undonePaths = [] } = made.get(callId) ?? {};
      for (const path of paths) files.set(path, (files.get(path) ?? true) && undonePaths.includes(path));
    }
    const next = entries[index + 1];
    const isLast = next === undefined || next.kind === 'request';
    if (!isLast || request === null || files.size === 0) continue;
    const sorted = [...files].sort(([one], [other]) => (one < other ? -1 : 1));
    runs.set(index, { request, files: sorted.map(([path, undone]) => ({ path, undone })) });
  }
  return runs;
}
