import type { LeftFile } from '../core/branches.js';
import { RoleZeroError } from '../core/error.js';
import type { Write } from '../core/store.js';
import { byCodeUnits } from './file-tree.js';
import { sameVersion, versionOf, type FileHistory, type PathChange } from './history.js';
import type { StagedFiles } from './staged-files.js';
import { putBack, loadPathState, takeBack, type PathState } from './take-back.js';

/** Files that are ready to be stored and applied as they were. */
interface Restored {
  writes: Write[];
  conflicts: LeftFile[];
}

export interface RestoreOptions {
  partly?: boolean;
  /** Number of the change since which the user's changes remain. */
  keepsSince?: number;
}

/**
 * Restores, in a stage, all files as they were after the change with this number. A file whose content is no longer stored, or whose lines
 * the user has changed otherwise since `keepsSince`, stays as it is, and is a conflict.
 *
 * @throws RoleZeroError `conflict` for such a file, unless `partly` is set; discard the stage then.
 */
export async function restoreFiles(
  stage: StagedFiles,
  history: FileHistory,
  number: number,
  { partly = false, keepsSince }: RestoreOptions = {},
): Promise<Restored> {
  const wanted = new Map<string, PathState>();
  const carries: PathChange[] = [];
  const conflicts = new Map<string, string>();
  const usersChanges: ReadonlyMap<string, PathChange> =
    keepsSince === undefined ? new Map() : history.since(keepsSince);
  if (!history.reaches(number)) conflicts.set('/', `${LOST} for changes that long ago`);
  else
    for (const [path, { before }] of history.since(number)) {
      const now = stage.entry(path) ?? null;
      const change = usersChanges.get(path);
      let state: PathState | undefined;
      if (change === undefined) {
        if (sameVersion(before, versionOf(now))) continue;
        state = await loadPathState(before, history);
        if (state === undefined) conflicts.set(path, LOST);
      } else {
        const steps = [{ from: change.before, to: before }];
        const { state: merged, conflict } = await takeBack(path, steps, now, history, null);
        if (conflict !== null) conflicts.set(path, conflict.why);
        state = conflict === null ? merged : now;
        if (!sameVersion(before, versionOf(state))) carries.push({ path, before, after: versionOf(state) });
      }
      if (state !== undefined) wanted.set(path, state);
    }
  for (const [path, why] of await putBack(wanted, stage)) conflicts.set(path, why);
  const listed = [...conflicts]
    .map(([path, why]) => ({ path, why }))
    .sort((one, other) => byCodeUnits(one.path, other.path));
  if (listed.length > 0 && !partly) throw cannotRestore(listed);
  const relation = { restores: number, ...(carries.length > 0 && { carries }) };
  return { writes: stage.changes({ by: 'user', name: 'restore' }, relation), conflicts: listed };
}

const LOST = 'its earlier content is no longer stored (limits.historyBytes)';

function cannotRestore(conflicts: readonly LeftFile[]): RoleZeroError {
  const named = conflicts.slice(0, 5).map(({ path, why }) => `${path}: ${why}`);
  const more = conflicts.length > 5 ? `; and ${conflicts.length - 5} more` : '';
  return new RoleZeroError(
    'conflict',
    `Nothing was changed, because not all files can be restored (${named.join('; ')}${more}). ` +
      'With { partly: true }, these files stay as they are.',
    { conflicts },
  );
}
