import { defined } from '../core/defined.js';
import { RoleZeroError } from '../core/error.js';
import type { StepTrace } from '../core/events.js';
import type { ConflictChoice, FileConflict, FileDiff, FileHistoryEntry } from '../core/files.js';
import { memoizeLast } from '../core/memoize-last.js';
import type { ClientSession } from '../client/session.js';
import type { Entry } from './conversation.js';

/** An undo or a redo in a conflict that the user has not solved. */
export interface OpenConflict {
  request: string;
  act: 'undo' | 'redo';
  path: string | undefined;
  conflicts: readonly FileConflict[];
}

/** Follows the history of the files for the element: what runs have changed, and what is undone. */
export class FileChanges {
  history: readonly FileHistoryEntry[] = [];
  /** Changed lines of the runs that are shown, by their requests. */
  diffs: ReadonlyMap<string, readonly FileDiff[]> = new Map();
  conflict: OpenConflict | null = null;
  /** Returns the changes of all runs. The element is drawn with each word of a reply, so they are computed again only when they change. */
  readonly ofRuns = memoizeLast(changesOfRuns);
  readonly #session: ClientSession;
  readonly #changed: () => void;
  #reading: Promise<void> | null = null;
  #isOld = false;

  constructor(session: ClientSession, changed: () => void) {
    this.#session = session;
    this.#changed = changed;
  }

  /** Reads the history, and once more when it changes meanwhile. */
  read(): Promise<void> {
    this.#isOld = true;
    this.#reading ??= this.#readAll().finally(() => (this.#reading = null));
    return this.#reading;
  }

  async #readAll(): Promise<void> {
    while (this.#isOld) {
      this.#isOld = false;
      this.history = await this.#session.files.history();
      for (const request of this.diffs.keys()) await this.#showAgain(request);
      this.#changed();
    }
  }

  /** Reads the changed lines of a run. */
  async show(request: string): Promise<void> {
    const diff = await this.#session.files.diff({ before: request }, { after: request });
    this.diffs = new Map(this.diffs).set(request, diff);
    this.#changed();
  }

  /** Hides the changed lines of a run that is not part of the conversation any more: another version was opened, or its history is gone. */
  async #showAgain(request: string): Promise<void> {
    try {
      await this.show(request);
    } catch (error) {
      if (!(error instanceof RoleZeroError) || error.code !== 'not-found') throw error;
      this.hide(request);
    }
  }

  hide(request: string): void {
    const others = [...this.diffs].filter(([id]) => id !== request);
    this.diffs = new Map(others);
    this.#changed();
  }

  /** Undoes or repeats the changes of a run, or of one file. A conflict remains open until it is solved. */
  async act(
    act: OpenConflict['act'],
    request: string,
    path: string | undefined,
    resolve?: ConflictChoice,
  ): Promise<void> {
    const { conflicts } = await this.#session.files[act](request, defined({ path, resolve }));
    const isOpen = conflicts.some(({ choice }) => choice === null);
    this.conflict = isOpen ? { request, act, path, conflicts } : null;
    await this.read();
  }

  dismiss(): void {
    this.conflict = null;
    this.#changed();
  }
}

/** The file changes of a run, as far as they are known. */
export interface RunChanges {
  /** Id of its request. */
  request: string;
  /** Changed files, sorted, and whether each is undone. */
  files: readonly { path: string; undone: boolean }[];
}

/** Returns the file changes of the runs by the place of their last entry. Runs without a stored request, or without changes, have none. */
function changesOfRuns({
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
