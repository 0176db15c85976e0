import { RoleZeroError } from '../core/error.js';
import type { ToolFiles } from '../core/files.js';
import { GIVE_AGAIN } from '../core/give-again.js';
import { linesInWords } from './editor/text-lines.js';

/**
 * Checks a command that is about to replace a whole file.
 *
 * @throws RoleZeroError `conflict`, once, when the file exists and the role has not seen its present content.
 */
export async function checkReplacement(files: ToolFiles, path: string): Promise<void> {
  if ((await files.mayReplace?.(path)) !== false) return;
  const size = linesInWords(await files.read(path));
  throw new RoleZeroError(
    'conflict',
    `Nothing was written. The file ${path} exists, ${size}, and you have not seen its present content. Read it first, or ${GIVE_AGAIN} to replace it.`,
    { path },
  );
}
