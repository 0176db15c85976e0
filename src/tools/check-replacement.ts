import { RoleZeroError } from '../core/error.js';
import type { ToolFiles } from '../core/files.js';
import { GIVE_AGAIN } from '../core/give-again.js';
import { linesInWords } from './editor/text-lines.js';

/** Checks a command that is about to replace a whole file.
 *
 * @throws RoleZeroError `conflict`, once, when the file exists and the role has not seen its present content, or when an earlier command of the
 *   same list has written it: small models write a file in parts, each over the other.
 */
export async function checkReplacement(files: ToolFiles, path: string): Promise<void> {
  const loss = (await files.replacementLoss?.(path)) ?? null;
  if (loss === null) return;
  const size = linesInWords(await files.read(path));
  const why =
    loss === 'unseen'
      ? `The file ${path} exists, ${size}, and you have not seen its present content. Read it first, or`
      : `An earlier command of this list has just written ${path}, ${size}, which would be lost. Write the whole file with one command, or add to its end with Editor.append_file; or`;
  throw new RoleZeroError('conflict', `Nothing was written. ${why} ${GIVE_AGAIN} to replace it.`, { path });
}
