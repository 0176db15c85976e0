import { Zip, ZipDeflate, ZipPassThrough } from 'fflate';
import type { SessionFiles } from '../../core/files.js';
import { outgoing, Pace } from './exporting.js';
import type { TransferOptions } from './importing.js';
import { labelFields } from './zip-labels.js';

/** The range of dates that the format can represent. */
const FIRST_DATE = Date.UTC(1980, 0, 2);
const LAST_DATE = Date.UTC(2099, 11, 30);
/** Bytes packed before yielding to the page. */
const STEP = 1024 * 1024;

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
    for (let at = 0; at < whole.length || at === 0; at += STEP) {
      entry.push(whole.subarray(at, at + STEP), at + STEP >= whole.length);
      await pace.pause();
    }
    pace.done(content);
  }
  zip.end();
  return new Blob(parts, { type: 'application/zip' });
}
