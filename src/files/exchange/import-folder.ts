import { answered } from '../../core/answered.js';
import type { SessionFiles } from '../../core/files.js';
import { Import, type ImportOptions, type ImportResult } from './importing.js';

/** A file or folder found in a folder or a drop. */
export interface Found {
  /** Relative path, with `/` between names. */
  name: string;
  /** Reads the file; null for a folder. */
  file: (() => Promise<File>) | null;
}

/** Maximum folder depth, which also ends a loop of links where a system has those. */
const MAX_DEPTH = 64;

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
  return importFound(files, { what: 'folder', name: folder.name, found: filesIn(folder, '') }, options);
}

/** Imports everything found. A folder whose files are all filtered out is searched, but not created. */
export async function importFound(
  files: Pick<SessionFiles, 'writeAll'>,
  { what, name, found }: { what: string; name: string; found: AsyncIterable<Found> },
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

/** Yields everything in a folder and below, folders before their contents. */
export async function* filesIn(folder: FileSystemDirectoryHandle, prefix: string): AsyncGenerator<Found> {
  if (prefix.split('/').length > MAX_DEPTH) return;
  for await (const [name, handle] of folder.entries()) {
    if (handle.kind === 'directory') {
      yield { name: `${prefix}${name}/`, file: null };
      yield* filesIn(handle, `${prefix}${name}/`);
    } else yield { name: `${prefix}${name}`, file: () => answered(handle, handle.getFile()) };
  }
}
