import { RoleZeroError } from '../../base/error.js';
import type { SessionFiles } from '../../base/files.js';
import { filesIn, importFound, type Found } from './import-folder.js';
import type { ImportOptions, ImportResult } from './importing.js';

/** What browsers with the File System Access API add to what is dropped. */
interface DroppedItem extends DataTransferItem {
  /** Nothing for a file that a script has put there. */
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null | undefined>;
}

/** One thing that was dropped, in the best form the browser has for it. */
interface Dropped {
  handle: Promise<FileSystemHandle | null>;
  entry: FileSystemEntry | null;
  file: File | null;
}

/**
 * Puts what a person drops on the page into a workspace, files and folders with all they hold: in one transaction, as `importZip` does.
 * Call it in the `drop` event itself, before anything is awaited: afterwards browsers forget what was dropped. Without
 * `preventDefault()` there and in `dragover` nothing is dropped at all.
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
  return importFound(files, 'drop', filesOf(things), options);
}

async function* filesOf(things: readonly Dropped[]): AsyncGenerator<Found> {
  for (const { handle: asked, entry, file } of things) {
    const handle = await asked;
    if (handle?.kind === 'directory') {
      yield { name: `${handle.name}/`, file: null };
      yield* filesIn(handle as FileSystemDirectoryHandle, `${handle.name}/`);
    } else if (handle !== null)
      yield { name: handle.name, file: () => (handle as FileSystemFileHandle).getFile() };
    else if (entry !== null) yield* filesBelow(entry, '');
    else if (file !== null) yield { name: file.name, file: async () => file };
  }
}

/** The older way, of browsers without handles. */
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
    // It gives some at a time, and none at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return;
    for (const each of some) yield* filesBelow(each, `${name}/`);
  }
}
