import { RoleZeroError } from '../core/error.js';
import type { UndoResult } from '../core/files.js';
import type { Write } from '../core/store.js';
import { Content } from './content.js';
import { sameVersion, versionOf, type FileHistory, type Version } from './history.js';
import type { StagedFiles } from './staged-files.js';
import { describeConflicts, listConflicts, put, type State } from './undo.js';

/** Files that are ready to be stored and applied as they were. */
interface Restored {
  writes: Write[];
  conflicts: UndoResult['conflicts'];
}

/**
 * Restores, in a stage, all files as they were after the change with this number. A file whose content is no longer stored stays as it is,
 * and is a conflict.
 *
 * @throws RoleZeroError `conflict` for such a file, unless `partly` is set; discard the stage then.
 */
export async function restoreFiles(
  stage: StagedFiles,
  history: FileHistory,
  number: number,
  { partly = false }: { partly?: boolean } = {},
): Promise<Restored> {
  const wanted = new Map<string, State>();
  const conflicts = new Map<string, string>();
  if (!history.reaches(number)) conflicts.set('/', `${LOST} for changes that long ago`);
  else
    for (const [path, { before }] of history.since(number)) {
      if (sameVersion(before, versionOf(stage.entry(path)))) continue;
      const state = await stateOf(before, history);
      if (state === undefined) conflicts.set(path, LOST);
      else wanted.set(path, state);
    }
  await put(wanted, stage, conflicts);
  const listed = listConflicts(conflicts);
  if (listed.length > 0 && !partly) throw cannotRestore(listed);
  return { writes: stage.changes({ by: 'user', name: 'restore' }, { restores: number }), conflicts: listed };
}

const LOST = 'its earlier content is no longer stored (limits.historyBytes)';

/** Returns undefined for a content that is not stored. */
async function stateOf(version: Version | null, history: FileHistory): Promise<State | undefined> {
  if (version === null) return null;
  if (version.type === 'directory') return { type: 'directory', content: new Content('') };
  const content = await history.content(version);
  return content === null ? undefined : { type: 'file', content, untrusted: version.untrusted };
}

function cannotRestore(conflicts: UndoResult['conflicts']): RoleZeroError {
  return new RoleZeroError(
    'conflict',
    `Nothing was changed, because not all files can be restored (${describeConflicts(conflicts)}). ` +
      'With { partly: true }, these files stay as they are.',
    { conflicts },
  );
}
