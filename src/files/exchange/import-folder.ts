import type { SessionFiles } from '../../base/files.js';
import { Import, type ImportOptions, type ImportResult } from './importing.js';

/** What a folder, or a drop, holds: files that can be had, and folders. */
export interface Found {
  /** Relative, with `/` between names. */
  name: string;
  /** Null for a folder. */
  file: (() => Promise<File>) | null;
}

/** Names of folders that are looked into; a folder of links to itself, where a system has those, comes to an end. */
const MAX_DEPTH = 64;

/**
 * Puts the files of a folder of the person's disk into a workspace: all of them in one transaction, as `importZip` does. The folder's own
 * name is not part of their paths. Sizes are looked at before anything is read.
 *
 * @param folder what `showDirectoryPicker()` gives, where the browser has it
 * @throws RoleZeroError as `importZip` does; what the browser throws (`NotAllowedError`) when the person does not allow it.
 * @example await importFolder(session.files, await showDirectoryPicker(), { filter: (path) => !path.startsWith('node_modules/') })
 */
export async function importFolder(
  files: Pick<SessionFiles, 'writeAll'>,
  folder: FileSystemDirectoryHandle,
  options: ImportOptions = {},
): Promise<ImportResult> {
  return importFound(files, 'folder', filesIn(folder, ''), options);
}

/** Imports what a walk finds. Folders of which the filter leaves out everything are looked into, but not made. */
export async function importFound(
  files: Pick<SessionFiles, 'writeAll'>,
  what: string,
  found: AsyncIterable<Found>,
  options: ImportOptions,
): Promise<ImportResult> {
  const work = new Import(what, options);
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

/** What is in a folder and below, folders before what they hold. */
export async function* filesIn(folder: FileSystemDirectoryHandle, prefix: string): AsyncGenerator<Found> {
  if (prefix.split('/').length > MAX_DEPTH) return;
  for await (const [name, handle] of folder.entries()) {
    if (handle.kind === 'directory') {
      yield { name: `${prefix}${name}/`, file: null };
      yield* filesIn(handle, `${prefix}${name}/`);
    } else yield { name: `${prefix}${name}`, file: () => handle.getFile() };
  }
}
