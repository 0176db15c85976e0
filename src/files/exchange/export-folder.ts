import { answered } from '../../core/answered.js';
import { describeAsSentence, RoleZeroError } from '../../core/error.js';
import type { SessionFiles } from '../../core/files.js';
import { sameBytes } from '../../core/same-bytes.js';
import { outgoing, Pace } from './exporting.js';
import type { TransferOptions } from './importing.js';

/** Result of an export to a folder; names are relative to the folder. */
export interface ExportResult {
  written: string[];
  /** Files that already had the same content. */
  same: string[];
}

/**
 * Writes a snapshot of a directory of the workspace into a folder on the user's disk. Files that differ are replaced, each as a whole;
 * other files in the folder remain. It is not one transaction, because a disk has none.
 *
 * @param folder the result of `showDirectoryPicker({ mode: 'readwrite' })`, or an imported folder with write permission
 * @throws RoleZeroError `not-found`; `invalid` for a name that the user's system rejects, or that is a folder there. Throws the error of
 * the browser (`NotAllowedError`) when the user does not allow it. `detail.written` contains the files written before.
 */
export async function exportFolder(
  files: Pick<SessionFiles, 'readAll'>,
  folder: FileSystemDirectoryHandle,
  options: TransferOptions = {},
): Promise<ExportResult> {
  const entries = await outgoing(files, options);
  const pace = new Pace(entries, options);
  const result: ExportResult = { written: [], same: [] };
  const folders = new Map([['', folder]]);
  for (const { name, content } of entries) {
    await pace.pause();
    try {
      const parent = await folderOf(name, folders);
      const last = name.slice(name.lastIndexOf('/') + 1);
      if (content === undefined) folders.set(name, await parent.getDirectoryHandle(last, { create: true }));
      else result[(await writeFile(parent, last, content)) ? 'written' : 'same'].push(name);
    } catch (error) {
      if (error instanceof DOMException && error.name === 'NotAllowedError') throw error;
      const message = `${JSON.stringify(name)} could not be written into the folder: ${describeAsSentence(error)}`;
      throw new RoleZeroError(
        'invalid',
        `${message} Leave it out with "filter", or give it another name.`,
        { name, ...result },
        error,
      );
    }
    pace.done(content);
  }
  return result;
}

/** Returns the folder of an entry. Creates it when the filter has passed only files in it. */
async function folderOf(
  name: string,
  folders: Map<string, FileSystemDirectoryHandle>,
): Promise<FileSystemDirectoryHandle> {
  const path = name.slice(0, Math.max(0, name.lastIndexOf('/')));
  const known = folders.get(path);
  if (known !== undefined) return known;
  const parent = await folderOf(path, folders);
  const made = await parent.getDirectoryHandle(path.slice(path.lastIndexOf('/') + 1), { create: true });
  folders.set(path, made);
  return made;
}

/** Returns false, without writing, when the file is already equal: programs that watch the folder must not react for nothing. */
async function writeFile(
  folder: FileSystemDirectoryHandle,
  name: string,
  content: Uint8Array,
): Promise<boolean> {
  const handle = await folder.getFileHandle(name, { create: true });
  const there = await answered(handle, handle.getFile());
  if (
    content.length > 0 &&
    there.size === content.length &&
    sameBytes(new Uint8Array(await there.arrayBuffer()), content)
  )
    return false;
  const stream = await answered(handle, handle.createWritable());
  await stream.write(content as Uint8Array<ArrayBuffer>);
  await stream.close();
  return true;
}
