import { structuredPatch } from 'diff';
import type { DiffPart, FileDiff } from '../core/files.js';
import { byCodeUnits } from './file-tree.js';
import { sameVersion, versionOf } from './history.js';
import { contentOf, stateAt, type State } from './past.js';
import type { VirtualFiles } from './virtual-files.js';

/** Maximum number of changed lines, and length of a text, of which the lines are compared. */
const MAX_CHANGED_LINES = 1_000;
const MAX_TEXT = 2_000_000;

/** Number of unchanged lines around a changed part. */
const CONTEXT = 3;

/** Compares the files after two changes of the history, which are given by their numbers. */
export async function compareFiles(files: VirtualFiles, from: number, to: number): Promise<FileDiff[]> {
  const { history } = files;
  const [old, made] = [history.since(from), history.since(to)];
  const paths = [...new Set([...old.keys(), ...made.keys()])].sort(byCodeUnits);
  const diffs: FileDiff[] = [];
  for (const path of paths) {
    const before = fileOnly(stateAt(files, old, path));
    const after = fileOnly(stateAt(files, made, path));
    if (before === null && after === null) continue;
    if (sameVersion(before && versionIn(before), after && versionIn(after))) continue;
    const change = before === null ? 'created' : after === null ? 'removed' : 'changed';
    const [one, other] = await Promise.all([textOf(files, before), textOf(files, after)]);
    const parts = one === null || other === null ? null : partsOf(one, other);
    diffs.push({ path, change, added: count(parts, '+'), removed: count(parts, '-'), parts });
  }
  return diffs;
}

function fileOnly(state: State | null): State | null {
  return state?.type === 'file' ? state : null;
}

function versionIn(state: State): ReturnType<typeof versionOf> {
  return 'content' in state ? versionOf({ ...state, type: 'file' }) : state;
}

/** Returns the text of a file, empty for a missing one; null for one whose lines cannot be compared. */
async function textOf({ history }: VirtualFiles, state: State | null): Promise<string | null> {
  if (state === null) return '';
  if (('content' in state ? state.content.size : state.size) > MAX_TEXT) return null;
  return (await contentOf(history, state))?.shownText() ?? null;
}

function partsOf(before: string, after: string): DiffPart[] | null {
  const patch = structuredPatch('', '', before, after, '', '', {
    context: CONTEXT,
    maxEditLength: MAX_CHANGED_LINES,
  });
  return (
    patch?.hunks.map(({ oldStart, newStart, lines }) => ({
      before: oldStart,
      after: newStart,
      lines: lines.filter((line) => !line.startsWith('\\')), // a remark about the end of the file
    })) ?? null
  );
}

function count(parts: readonly DiffPart[] | null, sign: '+' | '-'): number {
  return (parts ?? []).flatMap(({ lines }) => lines).filter((line) => line.startsWith(sign)).length;
}
