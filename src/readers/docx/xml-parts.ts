import { zipSync } from 'fflate';
import { RoleZeroError, toRoleZeroError } from '../../core/error.js';
import type { FileInput } from '../../core/files.js';
import { importZip } from '../../files/exchange/import-zip.js';

/** Maximum number of entries of a document. */
const MAX_PARTS = 10_000;
/** Maximum size of a document, and of all its parts with text, in bytes. */
const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

/**
 * Returns a document with its XML parts only, not packed. Sizes are checked before and during unpacking, so that an archive that is made to
 * fill the memory is refused.
 *
 * @param partBytes maximum size of a part
 * @throws RoleZeroError `invalid` when it is no archive, is damaged, or exceeds a limit.
 */
export async function xmlParts(document: Blob, partBytes: number): Promise<ArrayBuffer> {
  const parts: FileInput[] = [];
  const collect = {
    writeAll: async (inputs: readonly FileInput[]): Promise<string[]> => {
      parts.push(...inputs);
      return [];
    },
  };
  try {
    await importZip(collect, document, {
      filter: (path) => /\.(?:xml|rels)$/i.test(path),
      limits: { files: MAX_PARTS, fileBytes: partBytes, totalBytes: MAX_DOCUMENT_BYTES },
      maxRatio: Infinity, // the sizes are limited
      trusted: true, // the request has the sources
    });
  } catch (error) {
    throw partTooLarge(error, partBytes);
  }
  const files = parts.flatMap(({ path, content }) =>
    content instanceof Uint8Array ? [[path.replace(/^\//, ''), content] as const] : [],
  );
  return zipSync(Object.fromEntries(files), { level: 0 }).buffer;
}

function partTooLarge(error: unknown, partBytes: number): RoleZeroError {
  const reason = toRoleZeroError(error);
  if (reason.detail['limit'] !== 'fileBytes') return reason;
  return new RoleZeroError(
    'invalid',
    `A part of the document has more than ${partBytes} bytes. Split the document, or raise the option partBytes of docx().`,
    { limit: 'partBytes', allowed: partBytes },
    error,
  );
}
