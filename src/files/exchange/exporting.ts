import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import { answered } from '../../core/answered.js';
import { sameBytes } from '../../core/bytes.js';
import { describeAsSentence, RoleZeroError } from '../../core/error.js';
import type { SessionFiles } from '../../core/files.js';
import { baseName, resolvePath } from '../path.js';
import { WORK_MS, type Progress, type TransferOptions } from './importing.js';
import { labelFields } from './zip-labels.js';

/** Result of an export to a folder; names are relative to the folder. */
interface ExportResult {
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
      else result[(await writeIfChanged(parent, last, content)) ? 'written' : 'same'].push(name);
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
async function writeIfChanged(
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

/** The range of dates that the format can represent. */
const FIRST_DATE = Date.UTC(1980, 0, 2);

const LAST_DATE = Date.UTC(2099, 11, 30);

/** Bytes packed before yielding to the page. */
const PACKED_STEP = 1024 * 1024;

/**
 * Packs a snapshot of a directory of the workspace, or of a file. Names are relative to the directory; empty directories are included, and so
 * are the untrusted sources of files, for `importZip`.
 *
 * @throws RoleZeroError `not-found`.
 * @example link.href = URL.createObjectURL(await exportZip(session.files, { path: '/project' }))
 */
export async function exportZip(
  files: Pick<SessionFiles, 'readAll'>,
  options: TransferOptions = {},
): Promise<Blob> {
  const entries = await outgoing(files, options);
  const pace = new Pace(entries, options);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const zip = new Zip((error, part) => {
    if (error !== null) throw error;
    parts.push(part);
  });
  for (const { name, content, modifiedAt, untrusted } of entries) {
    const isEmpty = content === undefined || content.length === 0;
    const entry = isEmpty
      ? new ZipPassThrough(content === undefined ? `${name}/` : name)
      : new ZipDeflate(name, { level: 6 });
    entry.mtime = Math.min(Math.max(modifiedAt, FIRST_DATE), LAST_DATE);
    const extra = labelFields(untrusted);
    if (extra !== undefined) entry.extra = extra;
    zip.add(entry);
    const whole = content ?? new Uint8Array();
    for (let at = 0; at < whole.length || at === 0; at += PACKED_STEP) {
      entry.push(whole.subarray(at, at + PACKED_STEP), at + PACKED_STEP >= whole.length);
      await pace.pause();
    }
    pace.done(content);
  }
  zip.end();
  return new Blob(parts, { type: 'application/zip' });
}

/** A file to export; without content, a directory. */
interface Outgoing {
  /** Relative to the exported directory. */
  name: string;
  content: Uint8Array | undefined;
  modifiedAt: number;
  untrusted: readonly string[] | undefined;
}

/** Returns the entries to export, parents before children. */
async function outgoing(
  files: Pick<SessionFiles, 'readAll'>,
  { path = '/', filter }: TransferOptions,
): Promise<Outgoing[]> {
  const root = resolvePath(path);
  const prefix = root === '/' ? '/' : `${root}/`;
  return (await files.readAll(root))
    .map((file) => ({
      name: file.path === root ? baseName(root) : file.path.slice(prefix.length),
      content: file.content,
      modifiedAt: file.modifiedAt,
      untrusted: file.untrusted,
    }))
    .filter(({ name, content }) => content === undefined || (filter?.(name) ?? true));
}

/** Reports the progress of an export and yields to the page. */
class Pace {
  readonly #options: TransferOptions;
  readonly #progress: Progress;
  #yielded = performance.now();

  constructor(entries: readonly Outgoing[], options: TransferOptions) {
    this.#options = options;

    const contents = entries.flatMap(({ content }) => content ?? []);
    const totalBytes = contents.reduce((sum, { length }) => sum + length, 0);
    this.#progress = { phase: 'writing', files: 0, totalFiles: contents.length, bytes: 0, totalBytes };
  }

  done(content: Uint8Array | undefined): void {
    if (content === undefined) return;
    this.#progress.files += 1;
    this.#progress.bytes += content.length;
  }

  /** @throws the abort reason of the signal. */
  async pause(): Promise<void> {
    this.#options.signal?.throwIfAborted();
    if (performance.now() - this.#yielded < WORK_MS) return;
    this.#options.onProgress?.({ ...this.#progress });
    await new Promise((resolve) => setTimeout(resolve));
    this.#yielded = performance.now();
  }
}
