import type { AttachedFiles } from '../core/attached-files.js';
import { RoleZeroError } from '../core/error.js';
import type { FileInput, FilesAt, SessionFiles } from '../core/files.js';
import { mayLackSpace } from '../core/space.js';
import type { Write } from '../core/store.js';
import type { HistoryRecord } from '../files/history.js';
import { bytesAfter, diffFile, filesAfter, compareFiles } from '../files/past.js';
import { resolvePath } from '../files/path.js';
import type { FileEffect, StagedFiles } from '../files/staged-files.js';
import { changesToRedo, changesToUndo, knownChanges, redo, undo, type ChangeRange } from '../files/undo.js';
import type { VirtualFiles } from '../files/virtual-files.js';
import { filesOfBranch } from './branch-rows.js';
import { loadCheckpoints } from './checkpoints.js';
import type { SessionState } from './session-state.js';

/** Default number of changes that can still be undone when the history is removed to free space. */
const UNDOABLE_CHANGES = 20;

/** The methods that change nothing. */
type FileReads = Pick<
  SessionFiles,
  | 'read'
  | 'readBytes'
  | 'list'
  | 'stat'
  | 'glob'
  | 'readAll'
  | 'history'
  | 'after'
  | 'difference'
  | 'bytesAfter'
  | 'diff'
>;

/** Creates the file API of a session for the user: each call that changes something is one transaction. */
export function sessionFiles(state: SessionState): SessionFiles {
  return { ...fileReads(state), ...fileChangeMethods(state), watch: state.watchers.watch };
}

function fileReads(state: SessionState): FileReads {
  const look = async <Value>(at: (files: VirtualFiles) => Value | Promise<Value>): Promise<Value> =>
    at(state.workspace);
  const lookAt = async <Value>(path: string, at: (files: VirtualFiles) => Promise<Value>): Promise<Value> => {
    const files = await state.filesWith(resolvePath(path));
    try {
      return await at(files);
    } catch (error) {
      if (files === state.workspace) throw error;
      await state.filesLoaded(); // it may have been replaced meanwhile
      return at(state.workspace);
    }
  };
  const known = async (id: string): Promise<HistoryRecord[]> =>
    knownChanges(state.workspace.history, id, await changeRangeOf(state, id));
  return {
    read: (path) => lookAt(path, (files) => files.read(path)),
    readBytes: (path) => lookAt(path, (files) => files.readBytes(path)),
    list: (path = '/') => look((files) => files.list(path, { recursive: true })),
    stat: (path) => lookAt(path, (files) => files.stat(path)),
    glob: (pattern) => look((files) => files.glob(pattern)),
    readAll: (path = '/') => look((files) => files.readAll(path)),
    history: () => look(({ history }) => history.entries()),
    after: (id) => look(async (files) => filesAfter(files, await known(id))),
    difference: (id, path) => look(async (files) => diffFile(files, { id, records: await known(id) }, path)),
    bytesAfter: (id, path) =>
      look(async (files) => bytesAfter(files, { id, records: await known(id) }, path)),
    diff: (from, to = 'now') =>
      look(async (files) => compareFiles(files, await momentOf(state, from), await momentOf(state, to))),
  };
}

function fileChangeMethods(state: SessionState): Omit<SessionFiles, keyof FileReads | 'watch'> {
  const change = <Value>(
    name: string,
    edit: (files: StagedFiles) => Value | Promise<Value>,
  ): Promise<Value> =>
    commitEdit(state, async (files) => {
      const value = await edit(files);
      return { writes: files.changes({ by: 'user', name }), value };
    });
  return {
    write: (path, content, { trusted } = {}) =>
      change('write', (files) => {
        if (trusted !== true) files.mark(sourcesOfFile(files, path), 'user');
        return files.write(path, content);
      }),
    makeDirectory: (path) => change('make directory', (files) => files.makeDirectory(path)),
    remove: async (path) => {
      try {
        await change('remove', (files) => files.remove(path));
      } catch (error) {
        if (!mayLackSpace(error) || state.running !== null) throw error;
        await state.inTurn(() => removeForGood(state, path));
      }
    },
    move: (from, to) => change('move', (files) => files.move(from, to)),
    copy: (from, to) => change('copy', (files) => files.copy(from, to)),
    writeAll: (inputs, options = {}) =>
      change(options.name ?? 'write', (files) => {
        if (options.untrusted !== undefined) files.mark([options.untrusted], 'user');
        return files.writeAll(options.trusted === true ? inputs : withSources(files, inputs), options);
      }),
    forgetHistory: (keep = UNDOABLE_CHANGES) => forgetHistory(state, keep),
    undo: (id, options) =>
      commitEdit(state, async (files) => {
        const { history } = state.workspace;
        const records = changesToUndo(history, id, await changeRangeOf(state, id));
        const { writes, result } = await undo(files, history, records, options);
        return { writes, value: result };
      }),
    redo: (id, options) =>
      commitEdit(state, async (files) => {
        const { history } = state.workspace;
        const records = changesToRedo(history, id, id === undefined ? null : await changeRangeOf(state, id));
        const { writes, result } = await redo(files, history, records, options);
        return { writes, value: result };
      }),
  };
}

/** Returns the range of the changes of a run, where an id names its request; null for the id of a change. */
async function changeRangeOf({ store, workspace }: SessionState, id: string): Promise<ChangeRange | null> {
  if (workspace.history.named(id).length > 0) return null;
  const checkpoints = (await loadCheckpoints(store)).map(({ checkpoint }) => checkpoint);
  const at = checkpoints.findLastIndex(({ message }) => message.id === id);
  const request = checkpoints[at];
  if (request === undefined) return null;
  const next = checkpoints[at + 1]?.files ?? workspace.history.last;
  return { after: request.files + (request.isAttached === true ? 1 : 0), upTo: next };
}

/** Returns the number of the last change before a moment. @throws RoleZeroError `not-found` when it is not known. */
async function momentOf(state: SessionState, at: FilesAt): Promise<number> {
  const { history } = state.workspace;
  if (at === 'now') return history.last;
  if ('branch' in at) {
    const number = await filesOfBranch(state.store, at.branch);
    if (number !== null && history.reaches(number)) return number;
    throw new RoleZeroError(
      'not-found',
      `The files of the branch ${JSON.stringify(at.branch)} are not known.`,
      at,
    );
  }
  const id = 'before' in at ? at.before : at.after;
  const range = await changeRangeOf(state, id);
  if (range !== null) return 'before' in at ? range.after : range.upTo;
  const records = knownChanges(history, id, null);
  return 'before' in at ? (records[0]?.number ?? 1) - 1 : (records.at(-1)?.number ?? 0);
}

/** Returns the untrusted sources of a file as it is now. */
function sourcesOfFile(files: StagedFiles, path: string): readonly string[] {
  return files.entry(resolvePath(path))?.untrusted ?? [];
}

/** Returns the files to write with the sources of those that they replace. */
function withSources(files: StagedFiles, inputs: readonly FileInput[]): FileInput[] {
  return inputs.map((input) => {
    const known = sourcesOfFile(files, input.path);
    return known.length === 0 ? input : { ...input, untrusted: [...(input.untrusted ?? []), ...known] };
  });
}

/** Stores the staged changes of an edit, unless there is nothing to store, then applies them in memory, then emits them. */
function commitEdit<Value>(
  state: SessionState,
  edit: (files: StagedFiles) => Promise<{ writes: Write[] | null; value: Value }>,
): Promise<Value> {
  return state.inTurn(async () => {
    await state.readyInTurn();
    const stage = state.workspace.stage();
    const { writes, value } = await edit(stage);
    if (writes === null) return value;
    try {
      await state.commitApart(writes);
    } catch (error) {
      await state.showStored(null); // the history already has the change
      throw error;
    }
    applyStaged(state, stage);
    return value;
  });
}

/** Applies stored changes in memory, then emits them. */
export function applyStaged(state: SessionState, stage: StagedFiles): void {
  const effects = stage.effects();
  stage.apply();
  emitEffects(state, effects);
}

/** Emits changes of files by the user that are stored and applied. */
export function emitEffects(state: SessionState, effects: readonly FileEffect[]): void {
  for (const effect of effects) state.emit({ type: 'file-changed', ...effect, by: 'user' });
}

/** Removes a file on a full disk, where there is no space to record that in the history. It cannot be undone. */
async function removeForGood(state: SessionState, path: string): Promise<void> {
  await state.readyInTurn('free');
  const stage = state.workspace.stage();
  await stage.remove(path);
  await state.commitApart(stage.changes(), { purge: true });
  applyStaged(state, stage);
}

/**
 * Stages the files of a request: they are stored together with it.
 *
 * @throws RoleZeroError `invalid` beyond a limit, `conflict` when a file exists with other content.
 */
export function stageAttached(state: SessionState, { files }: AttachedFiles): StagedFiles {
  const stage = state.workspace.stage();
  stage.writeAll(files, { existing: 'fail' });
  return stage;
}

/** Returns the number of removed bytes. */
function forgetHistory(state: SessionState, keep: number): Promise<number> {
  return state.inTurn(async () => {
    await state.readyInTurn('free');
    const files = state.workspace;
    const { bytes } = files.freeable();
    const writes = files.forgetHistory(keep);
    if (writes.length > 0) await state.commitApart(writes, { purge: true });
    await storeWhole(state);
    return bytes - files.freeable().bytes;
  });
}

/** Stores whole files again whose stored contents have parts that were replaced, so that these are gone. */
async function storeWhole(state: SessionState): Promise<void> {
  const writes = await state.workspace.storeWhole();
  if (writes.length === 0) return;
  try {
    await state.commitApart(writes, { purge: true });
  } catch (error) {
    await state.showStored(null); // the files already name the new contents
    throw error;
  }
}
