import type { AgentEvent } from '../core/events.js';
import type { FileWatchers } from '../core/file-watchers.js';
import type { SessionFiles } from '../core/files.js';
import type { Write } from '../core/store.js';
import type { StagedFiles } from '../files/staged-files.js';
import { bytesAfter, difference, filesAfter } from '../files/past.js';
import { undo } from '../files/undo.js';
import type { VirtualFiles } from '../files/virtual-files.js';

/** The methods that the files need from their session. */
export interface SessionFilesHost {
  /** Resolves when the memory matches the store. */
  ready(): Promise<void>;
  workspace(): VirtualFiles;
  commit(writes: readonly Write[], options?: { purge?: boolean }): Promise<void>;
  emit(event: AgentEvent): void;
  watchers: FileWatchers;
}

/** Default number of changes that can still be undone when the history is removed to free space. */
const KEPT = 20;

/** Creates the file API of a session for the user: each call that changes something is one transaction. */
export function sessionFiles(host: SessionFilesHost): SessionFiles {
  /** Stores the staged changes of an edit, then applies them in memory, then emits them. */
  const keep = async <Value>(
    edit: (files: StagedFiles) => Promise<{ writes: Write[]; value: Value }>,
  ): Promise<Value> => {
    await host.ready();
    const stage = host.workspace().stage();
    const { writes, value } = await edit(stage);
    await host.commit(writes);
    const effects = stage.effects();
    stage.apply();
    for (const effect of effects) host.emit({ type: 'file-changed', ...effect, by: 'person' });
    return value;
  };
  const change = <Value>(
    name: string,
    edit: (files: StagedFiles) => Value | Promise<Value>,
  ): Promise<Value> =>
    keep(async (files) => {
      const value = await edit(files);
      return { writes: files.changes({ by: 'person', name }), value };
    });
  const look = async <Value>(at: (files: VirtualFiles) => Value | Promise<Value>): Promise<Value> =>
    at(host.workspace());
  return {
    read: (path) => look((files) => files.read(path)),
    readBytes: (path) => look((files) => files.readBytes(path)),
    list: (path = '/') => look((files) => files.list(path, { recursive: true })),
    stat: (path) => look((files) => files.stat(path)),
    glob: (pattern) => look((files) => files.glob(pattern)),
    readAll: (path = '/') => look((files) => files.readAll(path)),
    history: () => look(({ history }) => history.entries()),
    after: (id) => look((files) => filesAfter(files, id)),
    difference: (id, path) => look((files) => difference(files, id, path)),
    bytesAfter: (id, path) => look((files) => bytesAfter(files, id, path)),
    watch: host.watchers.watch,
    write: (path, content) => change('write', (files) => files.write(path, content)),
    makeDirectory: (path) => change('make directory', (files) => files.makeDirectory(path)),
    remove: (path) => change('remove', (files) => files.remove(path)),
    move: (from, to) => change('move', (files) => files.move(from, to)),
    copy: (from, to) => change('copy', (files) => files.copy(from, to)),
    writeAll: (inputs, options = {}) =>
      change(options.name ?? 'write', (files) => {
        if (options.untrusted !== undefined) files.mark([options.untrusted], 'person');
        return files.writeAll(inputs, options);
      }),
    forgetHistory: async (keep = KEPT) => {
      await host.ready();
      const { history } = host.workspace();
      const { bytes } = history.freeable();
      const writes = history.forget(keep);
      if (writes.length === 0) return 0;
      await host.commit(writes, { purge: true });
      return bytes - history.freeable().bytes;
    },
    undo: (id, options) =>
      keep(async (files) => {
        const { writes, result } = await undo(files, host.workspace().history, id, options);
        return { writes, value: result };
      }),
  };
}
