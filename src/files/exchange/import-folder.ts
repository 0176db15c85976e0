import { answered } from '../../core/answered.js';
import { RoleZeroError } from '../../core/error.js';
import type { SessionFiles } from '../../core/files.js';
import { Import, type ImportOptions, type ImportResult } from './importing.js';

/**
 * Imports the files of a folder on the user's disk into a workspace, all of them in one transaction, as `importZip` does. The folder's own
 * name is not part of their paths. Sizes are checked before anything is read.
 *
 * @param folder the result of `showDirectoryPicker()`, where the browser has it
 * @throws RoleZeroError as `importZip` does; the error of the browser (`NotAllowedError`) when the user does not allow it.
 * @example await importFolder(session.files, await showDirectoryPicker(), { filter: (path) => !path.startsWith('node_modules/') })
 */
export async function importFolder(
  files: Pick<SessionFiles, 'writeAll'>,
  folder: FileSystemDirectoryHandle,
  options: ImportOptions = {},
): Promise<ImportResult> {
  return importFound(files, { what: 'folder', name: folder.name, found: walkFolder(folder, '') }, options);
}

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
  return importFound(files, { what: 'drop', name, found: walkDropped(things) }, options);
}

/** Imports everything found. A folder whose files are all filtered out is searched, but not created. */
async function importFound(
  files: Pick<SessionFiles, 'writeAll'>,
  { what, name, found }: { what: string; name: string; found: AsyncIterable<FoundFile> },
  options: ImportOptions,
): Promise<ImportResult> {
  const work = new Import(what, name, options);
  const wanted: { path: string; file: File }[] = [];
  for await (const { name, file } of found) {
    await work.pause();
    if (file === null) {
      const path = work.announce(name, null);
      if (path !== null && options.filter === undefined) work.add(path, undefined);
      continue;
    }
    if (options.filter?.(name) === false) continue;
    const content = await file();
    const path = work.announce(name, content.size);
    if (path !== null) wanted.push({ path, file: content });
  }
  for (const { path, file } of wanted) {
    work.add(path, new Uint8Array(await file.arrayBuffer()));
    await work.pause();
  }
  return work.save(files);
}

/** A file or folder found in a folder or a drop. */
interface FoundFile {
  /** Relative path, with `/` between names. */
  name: string;
  /** Reads the file; null for a folder. */
  file: (() => Promise<File>) | null;
}

/** Maximum folder depth, which also ends a loop of links where a system has those. */
const MAX_FOLDER_DEPTH = 64;

/** Yields everything in a folder and below, folders before their contents. */
async function* walkFolder(folder: FileSystemDirectoryHandle, prefix: string): AsyncGenerator<FoundFile> {
  if (prefix.split('/').length > MAX_FOLDER_DEPTH) return;
  for await (const [name, handle] of folder.entries()) {
    if (handle.kind === 'directory') {
      yield { name: `${prefix}${name}/`, file: null };
      yield* walkFolder(handle, `${prefix}${name}/`);
    } else yield { name: `${prefix}${name}`, file: () => answered(handle, handle.getFile()) };
  }
}

async function* walkDropped(things: readonly Dropped[]): AsyncGenerator<FoundFile> {
  for (const { handle: asked, entry, file } of things) {
    const handle = await asked;
    if (handle?.kind === 'directory') {
      yield { name: `${handle.name}/`, file: null };
      yield* walkFolder(handle as FileSystemDirectoryHandle, `${handle.name}/`);
    } else if (handle !== null)
      yield { name: handle.name, file: () => answered(handle, (handle as FileSystemFileHandle).getFile()) };
    else if (entry !== null) yield* walkEntry(entry, '');
    else if (file !== null) yield { name: file.name, file: async () => file };
  }
}

/** Walks entries with the older API, for browsers without handles. */
async function* walkEntry(entry: FileSystemEntry, prefix: string): AsyncGenerator<FoundFile> {
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
    for (const each of some) yield* walkEntry(each, `${name}/`);
  }
}
