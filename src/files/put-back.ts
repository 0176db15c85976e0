import { describe } from '../core/error.js';
import { byCodeUnits, type Entry } from './file-tree.js';
import type { StagedFiles } from './staged-files.js';

/** The state that a path should have. */
export type State = Pick<Entry, 'type' | 'content' | 'untrusted'> | null;

/** Gives the paths their wanted states, in a stage. Returns the reasons why some could not get it. */
export async function putBack(
  wanted: ReadonlyMap<string, State>,
  stage: StagedFiles,
): Promise<Map<string, string>> {
  const refused = new Map<string, string>();
  const sorted = [...wanted].sort(([a], [b]) => byCodeUnits(a, b));
  const attempt = async (path: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      refused.set(path, describe(error));
    }
  };
  for (const [path, state] of sorted.toReversed()) {
    const here = stage.entry(path);
    if (here === undefined || here.type === state?.type) continue;
    const isFull = here.type === 'directory' && [...stage.childrenOf(path)].length > 0;
    if (!isFull) await attempt(path, () => stage.remove(path));
    else if (state !== null) refused.set(path, 'it is a directory now, with something in it');
    // A directory that is no longer wanted remains when others have put something into it.
  }
  for (const [path, state] of sorted) {
    if (state === null || refused.has(path)) continue;
    stage.mark(state.untrusted ?? [], 'user');
    if (state.type === 'directory') await attempt(path, () => stage.makeDirectory(path));
    else await attempt(path, async () => stage.write(path, (await state.content.load()).stored));
  }
  return refused;
}
