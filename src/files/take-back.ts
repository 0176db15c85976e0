import { describe } from '../core/error.js';
import type { ConflictChoice, FileConflict } from '../core/files.js';
import { Content } from './content.js';
import { byCodeUnits, type Entry } from './file-tree.js';
import { sameVersion, versionOf, type FileHistory, type Version } from './history.js';
import type { StagedFiles } from './staged-files.js';
import { mergeTexts } from './three-way.js';

/** A change of a path that is to be made: from the state that an earlier change left to the one that is wanted. */
export interface PathStep {
  from: Version | null;
  to: Version | null;
  /** Why it cannot be made. */
  why?: string;
}

/** The state that a path should get, and its conflict, if there is one. The state is undefined where it stays as it is. */
export interface PathOutcome {
  state: PathState | undefined;
  conflict: FileConflict | null;
}

/** What is known of a conflict before a choice. */
type Clash = Pick<FileConflict, 'why'> & Partial<Omit<FileConflict, 'path' | 'why'>>;

/**
 * Applies steps to the present state of a path, in order. Steps that follow each other are one. What others have changed since remains
 * where it is in other lines; otherwise it is a conflict.
 */
export async function takeBack(
  path: string,
  steps: readonly PathStep[],
  now: PathState,
  history: FileHistory,
  choice: ConflictChoice | null,
): Promise<PathOutcome> {
  let state = now;
  let conflict: FileConflict | null = null;
  for (const chain of chainsOf(steps)) {
    const points = [chain[0]?.from ?? null, ...chain.map(({ to }) => to)];
    const here = versionOf(state);
    const known = points.findLastIndex((point) => isSameVersion(point, here));
    if (known === points.length - 1) continue; // someone has done it already
    if (known < 0 && isSameVersion(points[0] ?? null, points.at(-1) ?? null)) continue; // together, they change nothing
    const why = chain.slice(Math.max(0, known)).find((step) => step.why !== undefined)?.why;
    const to = points.at(-1) ?? null;
    const wanted = why === undefined ? await loadPathState(to, history) : undefined;
    if (wanted === undefined) {
      conflict = asConflict(path, { why: why ?? NOT_STORED, now: await readFileText(state) }, choice);
      return { state: undefined, conflict };
    }
    if (known >= 0) {
      state = wanted;
      continue;
    }
    const merged = await mergeState(points[0] ?? null, wanted, state, history);
    if (!('why' in merged)) {
      state = merged.state;
      continue;
    }
    conflict = asConflict(path, merged, choice);
    if (conflict.choice === 'both' && merged.both !== undefined) state = merged.both;
    else if (conflict.choice === 'restored') state = wanted;
    else return { state: undefined, conflict };
  }
  return { state, conflict };
}

const NOT_STORED = 'the content that it should get is no longer stored (limits.historyBytes)';

/** Returns steps that begin where the one before ends as one list. */
function chainsOf(steps: readonly PathStep[]): PathStep[][] {
  const chains: PathStep[][] = [];
  for (const step of steps) {
    const last = chains.at(-1);
    if (last !== undefined && sameVersion(last.at(-1)?.to ?? null, step.from)) last.push(step);
    else chains.push([step]);
  }
  return chains;
}

function isSameVersion(one: Version | null, other: Version | null): boolean {
  return sameVersion(one, other) || (one?.type === 'directory' && other?.type === 'directory');
}

/** Returns a state as it was; undefined when its content is not stored. */
export async function loadPathState(
  version: Version | null,
  history: FileHistory,
): Promise<PathState | undefined> {
  if (version === null) return null;
  if (version.type === 'directory') return { type: 'directory', content: new Content('') };
  const content = await history.content(version);
  return content === null ? undefined : { type: 'file', content, untrusted: version.untrusted };
}

/** Merges what others have changed since into the wanted state of a path. */
async function mergeState(
  from: Version | null,
  wanted: PathState,
  now: PathState,
  history: FileHistory,
): Promise<{ state: PathState } | (Clash & { both?: PathState })> {
  const base = await loadPathState(from, history);
  const [restoredText, baseText, nowText] = await Promise.all([wanted, base ?? null, now].map(readFileText));
  const texts = { restored: restoredText ?? null, base: baseText ?? null, now: nowText ?? null };
  const clash = (why: string): Clash => ({ why, ...texts });
  if (now === null) return clash('it was removed since then');
  if (from === null) return clash('something else was put there since then');
  if (wanted === null) return clash('it was changed since then, and would be removed');
  if ([wanted.type, now.type, from.type].some((type) => type !== 'file'))
    return clash('it was replaced since then');
  if (base === undefined)
    return clash('it was changed since then, and its content before that is no longer stored');
  if (texts.restored === null || texts.base === null || texts.now === null)
    return clash('it was changed since then, and is not text');
  const { text, places } = mergeTexts({ restored: texts.restored, base: texts.base, now: texts.now });
  const untrusted = [...new Set([...(wanted.untrusted ?? []), ...(now.untrusted ?? [])])];
  const state: PathState = { type: 'file', content: new Content(text), untrusted };
  return places.length === 0 ? { state } : { ...clash(SAME_LINES), places, both: state };
}

const SAME_LINES = 'the same lines were changed since then';

function asConflict(
  path: string,
  { why, places = [], now = null, base = null, restored }: Clash,
  choice: ConflictChoice | null,
): FileConflict {
  const choices: ConflictChoice[] = ['now'];
  if (restored !== undefined) choices.push('restored');
  if (places.length > 0) choices.push('both');
  const chosen = choice !== null && choices.includes(choice) ? choice : null;
  return { path, why, places, now, base, restored: restored ?? null, choices, choice: chosen };
}

/** A conflict of a path that cannot get its state for another reason than a change since. */
export function wholeFileConflict(path: string, why: string, choice: ConflictChoice | null): FileConflict {
  return asConflict(path, { why }, choice);
}

/** Returns the text of a file; null for anything else. */
async function readFileText(state: PathState): Promise<string | null> {
  if (state?.type !== 'file') return null;
  return (await state.content.load()).textOrNull();
}

/** The state that a path should have. */
export type PathState = Pick<Entry, 'type' | 'content' | 'untrusted'> | null;

/** Gives the paths their wanted states, in a stage. Returns the reasons why some could not get it. */
export async function putBack(
  wanted: ReadonlyMap<string, PathState>,
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
