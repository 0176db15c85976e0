import * as git from 'isomorphic-git';
import { readOptions } from '../options.js';
import type { Repository } from '../repository.js';

/** State of a file as `git status --short` shows it: index and working tree. */
export interface FileState {
  path: string;
  index: ' ' | 'A' | 'M' | 'D' | '?' | 'U';
  working: ' ' | 'M' | 'D' | '?' | 'U';
}

/** Returns the files that differ from HEAD or from the index, sorted by path. */
export async function statesOf(repository: Repository): Promise<FileState[]> {
  const matrix = await git.statusMatrix(repository.at);
  const unmerged = new Set(repository.readOwn('MERGE_HEAD') === null ? [] : conflictsOf(repository));
  return matrix
    .flatMap(([path, head, working, stage]): FileState[] => {
      if (unmerged.has(path)) return [{ path, index: 'U', working: 'U' }];
      if (head === 0 && stage === 0) return working === 0 ? [] : [{ path, index: '?', working: '?' }];
      const index = head === 0 ? 'A' : stage === 0 ? 'D' : stage === 1 ? ' ' : 'M';
      // Stage 2 equals the working tree; 3 differs from it; 1 equals HEAD.
      const differs = stage === 3 || (stage === 1 && working === 2);
      const changed = stage === 0 ? (working === 0 ? ' ' : '?') : working === 0 ? 'D' : differs ? 'M' : ' ';
      if (index === 'D' && changed === '?')
        return [
          { path, index: 'D', working: ' ' },
          { path, index: '?', working: '?' },
        ];
      return index === ' ' && changed === ' ' ? [] : [{ path, index, working: changed }];
    })
    .sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
}

/** Returns the paths of the last merge that are still in conflict. */
export function conflictsOf(repository: Repository): string[] {
  return repository.readOwn('MERGE_CONFLICTS')?.split('\n').filter(Boolean) ?? [];
}

const CHANGE_LABELS: Readonly<Record<string, string>> = {
  A: 'new file:   ',
  M: 'modified:   ',
  D: 'deleted:    ',
  U: 'both modified:   ',
};

export async function status(args: readonly string[], repository: Repository): Promise<void> {
  const { flags } = readOptions('status', args, [
    'short|s',
    'porcelain',
    'branch|b',
    'long',
    'untracked-files|u',
  ]);
  const branch = await repository.branch();
  const states = await statesOf(repository);
  const indexed = [...(await repository.index()).keys()];
  if (flags.has('short') || flags.has('porcelain')) {
    if (flags.has('branch')) repository.print(`## ${branch ?? 'HEAD (no branch)'}`);
    repository.print(
      untracked(states, indexed)
        .map(({ path, index, working }) => `${index}${working} ${path}\n`)
        .join(''),
    );
    return;
  }
  const head = await repository.head();
  const lines = [branch === null ? `HEAD detached at ${head?.slice(0, 7)}` : `On branch ${branch}`];
  if (head === null) lines.push('', 'No commits yet');
  if (repository.readOwn('MERGE_HEAD') !== null)
    lines.push(
      conflictsOf(repository).length > 0
        ? 'You have unmerged paths.\n  (fix conflicts and run "git commit")'
        : 'All conflicts fixed but you are still merging.\n  (use "git commit" to conclude merge)',
    );
  const section = (title: string, hint: string, entries: readonly string[]): void => {
    if (entries.length > 0)
      lines.push(
        ...(lines.length === 1 ? [] : ['']),
        title,
        `  (${hint})`,
        ...entries.map((entry) => `\t${entry}`),
      );
  };
  const staged = states.filter(({ index }) => 'AMD'.includes(index) && index !== ' ');
  const changed = states.filter(({ working }) => working === 'M' || working === 'D');
  const conflicts = states.filter(({ index }) => index === 'U');
  const others = untracked(states, indexed).filter(({ index }) => index === '?');
  section(
    'Changes to be committed:',
    'use "git restore --staged <file>..." to unstage',
    staged.map(({ path, index }) => `${CHANGE_LABELS[index]}${path}`),
  );
  section(
    'Unmerged paths:',
    'use "git add <file>..." to mark resolution',
    conflicts.map(({ path }) => `${CHANGE_LABELS['U']}${path}`),
  );
  section(
    'Changes not staged for commit:',
    'use "git add <file>..." to update what will be committed',
    changed.map(({ path, working }) => `${CHANGE_LABELS[working]}${path}`),
  );
  section(
    'Untracked files:',
    'use "git add <file>..." to include in what will be committed',
    others.map(({ path }) => path),
  );
  if (states.length === 0)
    lines.push(
      head === null
        ? '\nnothing to commit (create/copy files and use "git add" to track)'
        : 'nothing to commit, working tree clean',
    );
  else if (staged.length === 0 && conflicts.length === 0)
    lines.push(
      '',
      changed.length > 0
        ? 'no changes added to commit (use "git add" and/or "git commit -a")'
        : 'nothing added to commit but untracked files present (use "git add" to track)',
    );
  repository.print(lines.join('\n'));
}

/** Shows a directory in the place of its files when none of them is tracked. */
function untracked(states: readonly FileState[], indexed: readonly string[]): FileState[] {
  const isUntracked = ({ index }: FileState): boolean => index === '?';
  const tracked = states.filter((state) => !isUntracked(state));
  const folders = new Map<string, FileState>();
  for (const state of states.filter(isUntracked)) {
    const folder = state.path.includes('/') ? `${state.path.slice(0, state.path.indexOf('/'))}/` : state.path;
    const isWhole = folder !== state.path && !indexed.some((path) => path.startsWith(folder));
    const path = isWhole ? folder : state.path;
    folders.set(path, { ...state, path });
  }
  return [...tracked, ...folders.values()];
}
