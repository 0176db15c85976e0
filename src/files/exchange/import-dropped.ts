import { answered } from '../../core/answered.js';
import { RoleZeroError } from '../../core/error.js';
import type { SessionFiles } from '../../core/files.js';
import { filesIn, importFound, type Found } from './import-folder.js';
import type { ImportOptions, ImportResult } from './importing.js';

/** Additions of browsers with the File System Access API to a dropped item. */
interface DroppedItem extends DataTransferItem {
  /** Returns nothing for a file that a script has added. */
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null | undefined>;
}

/** One dropped item, in all forms that the browser provides. */
interface Dropped {
  handle: Promise<FileSystemHandle | null>;
  entry: FileSystemEntry | null;
  file: File | null;
}

/**
 * Imports files and folders that the user drops on the page into a workspace, in one transaction, as `importZip` does. Call it in the
 * `drop` event itself, before any `await`: afterwards browsers discard the dropped data. Without `preventDefault()` there and in `dragover`
 * there is no drop at all.
 *
 * @throws RoleZeroError as `importZip` does; `invalid` when no file was dropped.
 * @example zone.ondrop = (event) => { event.preventDefault(); void importDropped(session.files, event.dataTransfer, { path: '/in' }); }
 */
export function importDropped(
  files: Pick<SessionFiles, 'writeAll'>,
  dropped: DataTransfer | null,
  options: ImportOptions = {},
): Promise<ImportResult> {
  const things = [...(dropped?.items ?? [])]
    .filter(({ kind }) => kind === 'file')
    .map((item: DroppedItem): Dropped => {
      const handle = item.getAsFileSystemHandle?.() ?? Promise.resolve(null);
      return {
        handle: handle.then((given) => given ?? null).catch(() => null),
        entry: item.webkitGetAsEntry(),
        file: item.getAsFile(),
      };
    });
  if (things.length === 0) {
    const message =
      'Nothing was imported: what was dropped is no file. Drop files or folders, within the drop event.';
    return Promise.reject(new RoleZeroError('invalid', message));
  }
  const [first] = things;
  const name = things.length === 1 ? (first?.entry?.name ?? '') : `of ${things.length}`;
  return importFound(files, { what: 'drop', name, found: filesOf(things) }, options);
}

async function* filesOf(things: readonly Dropped[]): AsyncGenerator<Found> {
  for (const { handle: asked, entry, file } of things) {
    const handle = await asked;
    if (handle?.kind === 'directory') {
      yield { name: `${handle.name}/`, file: null };
      yield* filesIn(handle as FileSystemDirectoryHandle, `${handle.name}/`);
    } else if (handle !== null)
      yield { name: handle.name, file: () => answered(handle, (handle as FileSystemFileHandle).getFile()) };
    else if (entry !== null) yield* filesBelow(entry, '');
    else if (file !== null) yield { name: file.name, file: async () => file };
  }
}

/** Walks entries with the older API, for browsers without handles. */
async function* filesBelow(entry: FileSystemEntry, prefix: string): AsyncGenerator<Found> {
  const name = `${prefix}${entry.name}`;
  if (entry.isFile) {
    const file = entry as FileSystemFileEntry;
    yield { name, file: () => new Promise((resolve, reject) => file.file(resolve, reject)) };
    return;
  }
  yield { name: `${name}/`, file: null };
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // `readEntries` returns the entries in batches, and an empty one at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return;
    for (const each of some) yield* filesBelow(each, `${name}/`);
  }
}
