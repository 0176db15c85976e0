import { defined } from '../core/defined.js';
import { RoleZeroError } from '../core/error.js';
import type { ConflictChoice, FileConflict, UndoOptions, UndoResult } from '../core/files.js';
import type { Write } from '../core/store.js';
import { byCodeUnits } from './file-tree.js';
import {
  sameVersion,
  versionOf,
  type FileHistory,
  type HistoryRecord,
  type PathChange,
  type Version,
} from './history.js';
import { resolvePath } from './path.js';
import type { StagedFiles } from './staged-files.js';
import { putBack, wholeFileConflict, takeBack, type PathState, type PathStep } from './take-back.js';

/** An undo or a redo that is ready to be stored and applied. Without writes, nothing is to be done: discard the stage then. */
export interface Undo {
  writes: Write[] | null;
  result: UndoResult;
}

/** Undoes some changes, newest first, in a stage; see `SessionFiles.undo`. */
export function undo(
  stage: StagedFiles,
  history: FileHistory,
  records: readonly HistoryRecord[],
  options: UndoOptions = {},
): Promise<Undo> {
  return takeBackAll(stage, history, records, 'undo', options);
}

/**
 * Repeats what was undone of some changes, newest first; see `SessionFiles.redo`. An undo of exactly these changes is undone, which also
 * restores what they had overwritten. Otherwise the changes are made again.
 */
export function redo(
  stage: StagedFiles,
  history: FileHistory,
  records: readonly HistoryRecord[],
  options: UndoOptions = {},
): Promise<Undo> {
  const reversals = options.path === undefined ? reversalsOf(records, history) : null;
  if (reversals !== null) return takeBackAll(stage, history, reversals, 'redo', options);
  const isWanted = below(options.path);
  const undone = history.undone();
  const again = records.toReversed();
  const steps = stepsBy(
    again,
    (record, path) => undone.has(record, path) && isWanted(path),
    ({ before, after }) => ({ from: before, to: after }),
  );
  return applySteps(stage, history, steps, { name: 'redo', relation: 'redoes', records: again, ...options });
}

/** Returns the undo entries whose changes these are, newest first; null when they undid others, too, or only a part. */
function reversalsOf(records: readonly HistoryRecord[], history: FileHistory): HistoryRecord[] | null {
  const numbers = new Set(records.map(({ number }) => number));
  const undone = history.undone();
  const reversals = history
    .line()
    .filter((record) => !undone.hasAll(record) && record.undoes.some((number) => numbers.has(number)));
  const undoneBy = new Set(reversals.flatMap(({ undoes }) => undoes));
  const isExact =
    reversals.every((record) => record.only === undefined && !undone.hasSome(record)) &&
    records.every((record) => undone.hasAll(record) && undoneBy.has(record.number)) &&
    undoneBy.size === numbers.size;
  return isExact ? reversals : null;
}

function takeBackAll(
  stage: StagedFiles,
  history: FileHistory,
  records: readonly HistoryRecord[],
  name: string,
  options: UndoOptions,
): Promise<Undo> {
  const isWanted = below(options.path);
  const undone = history.undone();
  const steps = stepsBy(
    records,
    (record, path) => !undone.has(record, path) && isWanted(path),
    ({ path, before, after }, record) => {
      const why = whyNotBefore(path, before, record, history);
      return { from: after, to: before, ...(why !== null && { why }) };
    },
  );
  return applySteps(stage, history, steps, { name, relation: 'undoes', records, ...options });
}

/** Returns the reason why a path cannot get the state before a change. */
function whyNotBefore(
  path: string,
  before: Version | null,
  { number, lost }: HistoryRecord,
  history: FileHistory,
): string | null {
  const previous = history.previous(path, number);
  // With two concurrent writers, the state that this one replaced is not the state it saw.
  if (previous !== undefined && !sameVersion(previous.after, before))
    return 'it was changed at the same time';
  if (lost && before?.type === 'file')
    return 'too much was changed at once to be stored (limits.historyBytes)';
  return null;
}

/** Returns the steps of each path, in the order of the changes. */
function stepsBy(
  records: readonly HistoryRecord[],
  isConcerned: (record: HistoryRecord, path: string) => boolean,
  stepOf: (change: PathChange, record: HistoryRecord) => PathStep,
): Map<string, PathStep[]> {
  const steps = new Map<string, PathStep[]>();
  for (const record of records)
    for (const change of record.changes) {
      if (!isConcerned(record, change.path)) continue;
      const list = steps.get(change.path) ?? [];
      steps.set(change.path, list);
      list.push(stepOf(change, record));
    }
  return steps;
}

/** Makes the steps of each path in the stage. */
async function applySteps(
  stage: StagedFiles,
  history: FileHistory,
  steps: ReadonlyMap<string, PathStep[]>,
  {
    name,
    relation,
    records,
    resolve,
  }: { name: string; relation: 'undoes' | 'redoes'; records: readonly HistoryRecord[] } & UndoOptions,
): Promise<Undo> {
  const choiceOf = (path: string): ConflictChoice | null =>
    typeof resolve === 'object' ? (resolve[path] ?? null) : (resolve ?? null);
  const wanted = new Map<string, PathState>();
  const conflicts: FileConflict[] = [];
  for (const [path, list] of steps) {
    const now = stage.entry(path) ?? null;
    const { state, conflict } = await takeBack(path, list, now, history, choiceOf(path));
    if (conflict !== null) conflicts.push(conflict);
    if (state !== undefined && !sameVersion(versionOf(state), versionOf(now))) wanted.set(path, state);
  }
  for (const [path, why] of await putBack(wanted, stage))
    conflicts.push(wholeFileConflict(path, why, choiceOf(path)));
  conflicts.sort((one, other) => byCodeUnits(one.path, other.path));
  if (conflicts.some(({ choice }) => choice === null))
    return { writes: null, result: { id: '', paths: [], conflicts } };
  const paths = stage.effects().map(({ path }) => path);
  const isLeft = new Set(conflicts.flatMap(({ path, choice }) => (choice === 'now' ? [path] : [])));
  const isDone = (path: string): boolean => steps.has(path) && !isLeft.has(path);
  const numbers = records.map(({ number }) => number);
  if (steps.size > 0 && ![...steps.keys()].some(isDone))
    return { writes: null, result: { id: '', paths: [], conflicts } };
  const isWhole = records.every(({ changes }) => changes.every(({ path }) => isDone(path)));
  const only = isWhole ? undefined : [...steps.keys()].filter(isDone);
  const writes = stage.changes({ by: 'user', name }, { [relation]: numbers, ...defined({ only }) });
  return { writes, result: { id: history.entries().at(-1)?.id ?? '', paths, conflicts } };
}

/** Returns whether a path is this one or below it; without one, every path is. */
function below(path: string | undefined): (other: string) => boolean {
  if (path === undefined) return () => true;
  const top = resolvePath(path);
  return (other) => top === '/' || other === top || other.startsWith(`${top}/`);
}

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
