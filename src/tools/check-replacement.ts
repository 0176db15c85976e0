import { RoleZeroError } from '../core/error.js';
import type { ToolFiles } from '../core/files.js';
import { TextLines } from './editor/text-lines.js';

/** The end of the message of a file that is not replaced yet; the same command then replaces it. */
export const REPLACE_AGAIN = 'Read it first, or give the same command again to replace it.';

/**
 * Checks a command that is about to replace a whole file.
 *
 * @throws RoleZeroError `conflict`, once, when the file exists and the role has not seen its present content.
 */
export async function checkReplacement(files: ToolFiles, path: string): Promise<void> {
  if (files.mayReplace?.(path) !== false) return;
  const { count } = new TextLines(await files.read(path));
  const size = `${count} line${count === 1 ? '' : 's'}`;
  throw new RoleZeroError(
    'conflict',
    `Nothing was written. The file ${path} exists, ${size}, and you have not seen its present content. ${REPLACE_AGAIN}`,
    { path },
  );
}
