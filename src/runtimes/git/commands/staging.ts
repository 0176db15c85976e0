import * as git from 'isomorphic-git';
import { readOptions } from '../options.js';
import { GitError, type Repository } from '../repository.js';
import { conflictsOf, statesOf, type FileState } from './status.js';

/** Adds files to the index. */
export async function add(args: readonly string[], repository: Repository): Promise<void> {
  const { flags, rest, paths } = readOptions('add', args, ['all|A', 'update|u', 'verbose|v', 'force|f']);
  const given = [...rest, ...(paths ?? [])];
  if (given.length === 0 && !flags.has('all') && !flags.has('update'))
    throw new GitError("Nothing specified, nothing added.\nhint: Maybe you wanted to say 'git add .'?", 0);
  const matches = given.length === 0 ? () => true : repository.matcher(given);
  const states = await statesOf(repository);
  const indexed = [...(await repository.index()).keys()];
  for (const each of given) {
    const found = repository.matcher([each]);
    const full = repository.absolute(repository.relative(each));
    const isThere = repository.files.stat(full) !== null;
    if (!isThere && ![...states.map(({ path }) => path), ...indexed].some(found))
      throw new GitError(`fatal: pathspec '${each}' did not match any files`, 128);
    const relative = repository.relative(each);
    if (
      !flags.has('force') &&
      relative !== '.' &&
      (await git.isIgnored({ ...repository.at, filepath: relative }))
    )
      throw new GitError(
        `The following paths are ignored by one of your .gitignore files:\n${relative}\nhint: Use -f if you really want to add them.`,
      );
    if (flags.has('force') && repository.files.stat(full)?.type === 'file')
      await git.add({ ...repository.at, filepath: relative, force: true });
  }
  const isIncluded = (state: FileState): boolean =>
    matches(state.path) && !(flags.has('update') && state.index === '?');
  await stageChanges(states.filter(isIncluded), repository);
}

/** Brings the index to the state of the working tree. */
export async function stageChanges(states: readonly FileState[], repository: Repository): Promise<void> {
  for (const { path, working } of states) {
    if (working === 'D') await git.remove({ ...repository.at, filepath: path });
    else if (working !== ' ') await git.add({ ...repository.at, filepath: path });
  }
  const resolved = new Set(states.map(({ path }) => path));
  const conflicts = conflictsOf(repository).filter((path) => !resolved.has(path));
  if (repository.readOwn('MERGE_HEAD') !== null) repository.writeOwn('MERGE_CONFLICTS', conflicts.join('\n'));
}

/** Removes files from the index and the working tree. */
export async function remove(args: readonly string[], repository: Repository): Promise<void> {
  const { flags, rest, paths } = readOptions('rm', args, ['cached', 'recursive|r', 'force|f', 'quiet|q']);
  for (const each of [...rest, ...(paths ?? [])]) {
    const found = [...(await repository.index()).keys()].filter(repository.matcher([each]));
    if (found.length === 0) throw new GitError(`fatal: pathspec '${each}' did not match any files`, 128);
    if (
      !flags.has('recursive') &&
      repository.files.stat(repository.absolute(repository.relative(each)))?.type === 'directory'
    )
      throw new GitError(`fatal: not removing '${each}' recursively without -r`, 128);
    for (const path of found) {
      await git.remove({ ...repository.at, filepath: path });
      if (!flags.has('cached')) repository.remove(path);
      if (!flags.has('quiet')) repository.print(`rm '${path}'`);
    }
  }
}

/** Moves a tracked file or directory. */
export async function move(args: readonly string[], repository: Repository): Promise<void> {
  const { rest } = readOptions('mv', args, ['force|f', 'verbose|v']);
  const [from, to] = rest;
  if (from === undefined || to === undefined || rest.length > 2)
    throw new GitError('usage: git mv <source> <destination>', 129);
  const source = repository.relative(from);
  const tracked = [...(await repository.index()).keys()].filter(repository.matcher([from]));
  if (tracked.length === 0)
    throw new GitError(`fatal: not under version control, source=${source}, destination=${to}`, 128);
  const isInto = repository.files.stat(repository.absolute(repository.relative(to)))?.type === 'directory';
  const target = isInto ? `${repository.relative(to)}/${source.split('/').at(-1)}` : repository.relative(to);
  repository.files.rename(repository.absolute(source), repository.absolute(target));
  for (const path of tracked) {
    await git.remove({ ...repository.at, filepath: path });
    await git.add({ ...repository.at, filepath: target + path.slice(source.length) });
  }
}

/** Restores files of the working tree, or of the index with `--staged`. */
export async function restore(args: readonly string[], repository: Repository): Promise<void> {
  const { flags, values, rest, paths } = readOptions('restore', args, [
    'staged|S',
    'worktree|W',
    'source=|s=',
  ]);
  const given = [...rest, ...(paths ?? [])];
  if (given.length === 0) throw new GitError('fatal: you must specify path(s) to restore', 128);
  const source = values.get('source');
  if (flags.has('staged')) await unstage(given, source ?? 'HEAD', repository);
  if (!flags.has('staged') || flags.has('worktree')) await restorePaths(given, source ?? null, repository);
}

/** Brings the index of files to the state of a commit. */
async function unstage(paths: readonly string[], commit: string, repository: Repository): Promise<void> {
  const head = await repository.head();
  const tree =
    head === null ? new Map<string, string>() : await repository.tree(await repository.commit(commit));
  const matches = repository.matcher(paths);
  const all = new Set([...tree.keys(), ...(await repository.index()).keys()].filter(matches));
  if (all.size === 0)
    throw new GitError(`error: pathspec '${paths.join(' ')}' did not match any file(s) known to git`);
  for (const path of all)
    if (tree.has(path))
      await git.resetIndex({ ...repository.at, filepath: path, ref: await repository.commit(commit) });
    else await git.remove({ ...repository.at, filepath: path });
}

/** Overwrites files of the working tree by those of the index, or of a commit. */
export async function restorePaths(
  paths: readonly string[],
  commit: string | null,
  repository: Repository,
): Promise<number> {
  const tree =
    commit === null ? await repository.index() : await repository.tree(await repository.commit(commit));
  const matches = repository.matcher(paths);
  const found = [...tree].filter(([path]) => matches(path));
  if (found.length === 0)
    throw new GitError(`error: pathspec '${paths.join(' ')}' did not match any file(s) known to git`);
  for (const [path, oid] of found) {
    repository.write(path, await repository.blob(oid));
    if (commit !== null) await git.add({ ...repository.at, filepath: path });
  }
  return found.length;
}

/** Moves the branch to a commit. `--hard` also restores the index and the working tree. */
export async function reset(args: readonly string[], repository: Repository): Promise<void> {
  const { flags, rest, paths } = readOptions('reset', args, ['soft', 'mixed', 'hard', 'quiet|q']);
  const [first] = rest;
  const isCommit =
    first !== undefined &&
    (await repository.commit(first).then(
      () => true,
      () => false,
    ));
  const files = [...(isCommit ? rest.slice(1) : rest), ...(paths ?? [])];
  const name = isCommit ? first : 'HEAD';
  if (files.length > 0) return unstage(files, name, repository);
  const commit = await repository.commit(name);
  const branch = await repository.branch();
  await git.writeRef({
    ...repository.at,
    ref: branch === null ? 'HEAD' : `refs/heads/${branch}`,
    value: commit,
    force: true,
  });
  for (const own of ['MERGE_HEAD', 'MERGE_MSG', 'MERGE_CONFLICTS']) repository.writeOwn(own, null);
  if (flags.has('soft')) return;
  const before = new Set((await repository.index()).keys());
  await unstageAll(commit, repository);
  if (!flags.has('hard')) return;
  const tree = await repository.tree(commit);
  for (const path of before) if (!tree.has(path)) repository.remove(path);
  for (const [path, oid] of tree) repository.write(path, await repository.blob(oid));
  for (const path of tree.keys()) await git.add({ ...repository.at, filepath: path });
  const {
    commit: { message },
  } = await git.readCommit({ ...repository.at, oid: commit });
  if (!flags.has('quiet')) repository.print(`HEAD is now at ${commit.slice(0, 7)} ${message.split('\n')[0]}`);
}

async function unstageAll(commit: string, repository: Repository): Promise<void> {
  const tree = await repository.tree(commit);
  for (const path of new Set([...tree.keys(), ...(await repository.index()).keys()]))
    if (tree.has(path)) await git.resetIndex({ ...repository.at, filepath: path, ref: commit });
    else await git.remove({ ...repository.at, filepath: path });
}
