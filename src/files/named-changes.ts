import { RoleZeroError } from '../core/error.js';
import type { FileHistory, HistoryRecord } from './history.js';

/** The numbers of the changes of a run: those after `after`, up to `upTo`. */
export interface ChangeRange {
  after: number;
  upTo: number;
}

/**
 * Returns the changes that an id names, oldest first, including undone ones: by their ids, or those of roles in the range of a request.
 *
 * @throws RoleZeroError `not-found` when no change has this id.
 */
export function knownChanges(history: FileHistory, id: string, range: ChangeRange | null): HistoryRecord[] {
  const records = changesNamed(history, id, range);
  if (records.length > 0) return records;
  throw new RoleZeroError(
    'not-found',
    `Unknown file change ${JSON.stringify(id)}: it changed no files, or is too old. See files.history().`,
    { id },
  );
}

function changesNamed(history: FileHistory, id: string, range: ChangeRange | null): HistoryRecord[] {
  if (range === null) return history.named(id);
  return history
    .line()
    .filter(({ by, number }) => by === 'agent' && number > range.after && number <= range.upTo)
    .reverse();
}

/** Returns those that can be undone, newest first. @throws RoleZeroError `not-found` when no change can be. */
export function changesToUndo(history: FileHistory, id: string, range: ChangeRange | null): HistoryRecord[] {
  const line = new Set(history.line());
  const undone = history.undone();
  const named = changesNamed(history, id, range);
  const records = named.filter((record) => !undone.hasAll(record) && line.has(record));
  if (records.length === 0) throw nothingTo('undo', id, named);
  return records.reverse();
}

/** Returns those that can be done again, newest first: by default those of the last undo. @throws RoleZeroError `not-found` when no change can be. */
export function changesToRedo(
  history: FileHistory,
  id: string | undefined,
  range: ChangeRange | null,
): HistoryRecord[] {
  const line = history.line();
  const undone = history.undone();
  const undoneBy = (record: HistoryRecord): HistoryRecord[] =>
    undone.hasAll(record)
      ? []
      : line.filter((each) => record.undoes.includes(each.number) && undone.hasSome(each));
  if (id === undefined) {
    const last = line.find((record) => record.name !== 'redo' && undoneBy(record).length > 0);
    if (last === undefined)
      throw new RoleZeroError('not-found', 'There is nothing to redo: no undo is left.', {});
    return undoneBy(last);
  }
  const named = changesNamed(history, id, range);
  const known = new Set(named.flatMap((record) => (undone.hasSome(record) ? [record] : undoneBy(record))));
  const records = line.filter((record) => known.has(record));
  if (records.length === 0) throw nothingTo('redo', id, named);
  return records;
}

function nothingTo(what: 'undo' | 'redo', id: string, known: readonly HistoryRecord[]): RoleZeroError {
  const why =
    known.length === 0
      ? 'changed no files, or is too old'
      : what === 'undo'
        ? 'was already undone'
        : 'is not undone';
  return new RoleZeroError(
    'not-found',
    `There is nothing to ${what}: ${JSON.stringify(id)} ${why}. See files.history().`,
    { id },
  );
}
