import * as git from 'isomorphic-git';
import { readOptions } from '../options.js';
import { GitError, shortId, type Repository } from '../repository.js';
import { compare, printChanges } from './diff.js';
import { restorePaths } from './staging.js';
import { statesOf } from './status.js';

/** Lists, creates, renames and deletes branches. */
export async function branch(args: readonly string[], repository: Repository): Promise<void> {
  const known = [
    'delete|d',
    'D',
    'move|m',
    'M',
    'all|a',
    'remotes|r',
    'list|l',
    'show-current',
    'verbose|v',
    'force|f',
  ];
  const { flags, rest } = readOptions('branch', args, known);
  const current = await repository.branch();
  const [name, start] = rest;
  if (flags.has('show-current')) {
    repository.print(current === null ? '' : `${current}\n`);
    return undefined;
  }
  if (flags.has('delete') || flags.has('D'))
    return deleteBranches(rest, flags.has('D') || flags.has('force'), current, repository);
  if (flags.has('move') || flags.has('M')) {
    const [from, to] = start === undefined ? [current, name] : [name, start];
    if (from === null || from === undefined || to === undefined)
      throw new GitError('fatal: branch name required', 128);
    return git.renameBranch({ ...repository.at, oldref: from, ref: to, checkout: from === current });
  }
  if (name !== undefined && !flags.has('list')) {
    if ((await git.listBranches(repository.at)).includes(name) && !flags.has('force'))
      throw new GitError(`fatal: a branch named '${name}' already exists`, 128);
    return git.branch({
      ...repository.at,
      ref: name,
      object: await repository.commit(start ?? 'HEAD'),
      force: flags.has('force'),
    });
  }
  return printBranches(flags, current, repository);
}

async function printBranches(
  flags: ReadonlySet<string>,
  current: string | null,
  repository: Repository,
): Promise<void> {
  const local = flags.has('remotes') ? [] : await git.listBranches(repository.at);
  const lines: string[] = [];
  const head = await repository.head();
  if (current === null && head !== null) lines.push(`* (HEAD detached at ${shortId(head)})`);
  for (const each of local.toSorted())
    lines.push(
      `${each === current ? '*' : ' '} ${each}${flags.has('verbose') ? await summary(each, repository) : ''}`,
    );
  if (flags.has('all') || flags.has('remotes'))
    for (const { remote } of await git.listRemotes(repository.at))
      for (const each of await git.listBranches({ ...repository.at, remote }))
        lines.push(`  ${flags.has('all') ? 'remotes/' : ''}${remote}/${each}`);
  repository.print(lines.map((line) => `${line}\n`).join(''));
}

async function summary(name: string, repository: Repository): Promise<string> {
  const oid = await git.resolveRef({ ...repository.at, ref: name });
  const { commit } = await git.readCommit({ ...repository.at, oid });
  return ` ${shortId(oid)} ${commit.message.split('\n')[0]}`;
}

async function deleteBranches(
  names: readonly string[],
  force: boolean,
  current: string | null,
  repository: Repository,
): Promise<void> {
  for (const name of names) {
    if (!(await git.listBranches(repository.at)).includes(name))
      throw new GitError(`error: branch '${name}' not found`);
    if (name === current)
      throw new GitError(`error: cannot delete branch '${name}' used by worktree at '${repository.root}'`);
    const oid = await git.resolveRef({ ...repository.at, ref: name });
    const head = await repository.head();
    const isMerged =
      head === oid ||
      (head !== null && (await git.isDescendent({ ...repository.at, oid: head, ancestor: oid, depth: -1 })));
    if (!isMerged && !force)
      throw new GitError(
        `error: the branch '${name}' is not fully merged\nhint: If you are sure you want to delete it, run 'git branch -D ${name}'`,
      );
    await git.deleteBranch({ ...repository.at, ref: name });
    repository.print(`Deleted branch ${name} (was ${shortId(oid)}).`);
  }
}

/** Switches to a branch or commit, or restores files. */
export async function checkout(args: readonly string[], repository: Repository): Promise<void> {
  const { flags, values, rest, paths } = readOptions('checkout', args, [
    'b=',
    'B=',
    'force|f',
    'quiet|q',
    'detach',
    'orphan=',
  ]);
  const created = values.get('b') ?? values.get('B');
  if (created !== undefined)
    return create(created, rest[0], { force: values.has('B'), quiet: flags.has('quiet') }, repository);
  if (values.has('orphan')) throw new GitError('error: git checkout --orphan is not available here.');
  const [name, ...others] = rest;
  if (paths !== null || others.length > 0) {
    const files = [...others, ...(paths ?? [])];
    const isCommit = name !== undefined && (await exists(name, repository));
    await restorePaths(isCommit ? files : [...rest, ...(paths ?? [])], isCommit ? name : null, repository);
    return undefined;
  }
  if (name === undefined) throw new GitError('error: name a branch, a commit or files');
  if (!(await exists(name, repository)) && !(await hasRemote(name, repository))) {
    reportRestored(await restorePaths([name], null, repository), repository);
    return undefined;
  }
  return switchTo(name, flags, repository);
}

function reportRestored(count: number, repository: Repository): void {
  repository.warn(`Updated ${count} path${count === 1 ? '' : 's'} from the index`);
}

/** Switches to a branch. */
export async function switchBranch(args: readonly string[], repository: Repository): Promise<void> {
  const { flags, values, rest } = readOptions('switch', args, [
    'create=|c=',
    'force-create=|C=',
    'detach|d',
    'discard-changes|force|f',
    'quiet|q',
  ]);
  const created = values.get('create') ?? values.get('force-create');
  if (created !== undefined)
    return create(
      created,
      rest[0],
      { force: values.has('force-create'), quiet: flags.has('quiet') },
      repository,
    );
  const [name] = rest;
  if (name === undefined) throw new GitError('fatal: missing branch or commit argument', 128);
  const isBranch =
    (await git.listBranches(repository.at)).includes(name) || (await hasRemote(name, repository));
  if (!isBranch && !flags.has('detach')) throw new GitError(`fatal: invalid reference: ${name}`, 128);
  return switchTo(name, flags, repository);
}

async function create(
  name: string,
  start: string | undefined,
  { force, quiet }: { force: boolean; quiet: boolean },
  repository: Repository,
): Promise<void> {
  const report = (): void => {
    if (!quiet) repository.warn(`Switched to a new branch '${name}'`);
  };
  if ((await repository.head()) === null) {
    await git.writeRef({
      ...repository.at,
      ref: 'HEAD',
      value: `refs/heads/${name}`,
      symbolic: true,
      force: true,
    });
    report();
    return;
  }
  if (!force && (await git.listBranches(repository.at)).includes(name))
    throw new GitError(`fatal: a branch named '${name}' already exists`, 128);
  const commit = await repository.commit(start ?? 'HEAD');
  await git.branch({ ...repository.at, ref: name, object: commit, force });
  if (start === undefined)
    await git.writeRef({
      ...repository.at,
      ref: 'HEAD',
      value: `refs/heads/${name}`,
      symbolic: true,
      force: true,
    });
  else await checkOutRef(name, false, repository);
  report();
}

async function switchTo(name: string, flags: ReadonlySet<string>, repository: Repository): Promise<void> {
  const branches = await git.listBranches(repository.at);
  const isBranch = branches.includes(name) || (await hasRemote(name, repository));
  if (name === (await repository.branch())) {
    repository.warn(`Already on '${name}'`);
    return;
  }
  const target = isBranch ? name : await repository.commit(name);
  await checkOutRef(target, flags.has('force') || flags.has('discard-changes'), repository);
  if (flags.has('quiet')) return;
  if (isBranch) repository.warn(`Switched to branch '${name}'`);
  else
    repository.warn(
      `Note: switching to '${name}'.\n\nYou are in 'detached HEAD' state.\nHEAD is now at${await summary(target, repository)}`,
    );
}

async function checkOutRef(ref: string, force: boolean, repository: Repository): Promise<void> {
  try {
    await git.checkout({ ...repository.at, ref, force });
  } catch (error) {
    if (!(error instanceof git.Errors.CheckoutConflictError)) throw error;
    const files = error.data.filepaths.map((path: string) => `\t${path}`).join('\n');
    throw new GitError(
      `error: Your local changes to the following files would be overwritten by checkout:\n${files}\nPlease commit your changes or stash them before you switch branches.\nAborting`,
    );
  }
}

async function exists(name: string, repository: Repository): Promise<boolean> {
  return repository.commit(name).then(
    () => true,
    () => false,
  );
}

async function hasRemote(name: string, repository: Repository): Promise<boolean> {
  for (const { remote } of await git.listRemotes(repository.at))
    if ((await git.listBranches({ ...repository.at, remote })).includes(name)) return true;
  return false;
}

/** Merges a branch into the current one. */
export async function merge(args: readonly string[], repository: Repository): Promise<number> {
  const { flags, values, rest } = readOptions('merge', args, [
    'no-ff',
    'ff-only',
    'ff',
    'message=|m=',
    'abort',
    'continue',
    'no-edit',
    'quiet|q',
  ]);
  if (flags.has('abort')) return abort(repository);
  if (flags.has('continue')) throw new GitError('error: use git commit to conclude the merge');
  const [name] = rest;
  const ours = await repository.branch();
  if (name === undefined || rest.length > 1)
    throw new GitError('fatal: name one branch or commit to merge', 128);
  if (ours === null) throw new GitError('fatal: switch to a branch first; HEAD is detached', 128);
  if (repository.readOwn('MERGE_HEAD') !== null)
    throw new GitError('fatal: You have not concluded your merge (MERGE_HEAD exists).', 128);
  const changed = (await statesOf(repository)).filter(({ index }) => index !== '?');
  if (changed.length > 0)
    throw new GitError(
      `error: Your local changes to the following files would be overwritten by merge:\n${changed.map(({ path }) => `\t${path}`).join('\n')}\nPlease commit your changes or stash them before you merge.\nAborting`,
    );
  return mergeInto(ours, name, flags, values.get('message'), repository);
}

async function mergeInto(
  ours: string,
  name: string,
  flags: ReadonlySet<string>,
  given: string | undefined,
  repository: Repository,
): Promise<number> {
  const theirs = await repository.commit(name);
  const isBranch = (await git.listBranches(repository.at)).includes(name);
  const before = await repository.commit('HEAD');
  const author = await repository.author();
  const message =
    given ?? `Merge branch '${name}'${ours === 'main' || ours === 'master' ? '' : ` into ${ours}`}`;
  try {
    const {
      oid,
      alreadyMerged = false,
      fastForward = false,
    } = await git.merge({
      ...repository.at,
      ours,
      theirs: isBranch ? name : theirs, // the name is in the marks of conflicts
      fastForward: !flags.has('no-ff'),
      fastForwardOnly: flags.has('ff-only'),
      abortOnConflict: false,
      message,
      author,
      committer: author,
    });
    if (alreadyMerged) return printAndSucceed('Already up to date.', repository);
    await git.checkout({ ...repository.at, ref: ours });
    repository.print(
      fastForward
        ? `Updating ${shortId(before)}..${shortId(oid ?? theirs)}\nFast-forward`
        : "Merge made by the 'ort' strategy.",
    );
    const changes = compare(await repository.tree(before), await repository.tree('HEAD'));
    await printChanges(changes, new Set(['stat']), 3, (_path, blob) => repository.blob(blob), repository);
    return 0;
  } catch (error) {
    if (error instanceof git.Errors.FastForwardError)
      throw new GitError('fatal: Not possible to fast-forward, aborting.', 128);
    if (!(error instanceof git.Errors.MergeConflictError)) throw error;
    const paths: string[] = error.data.filepaths;
    repository.writeOwn('MERGE_HEAD', theirs);
    repository.writeOwn('MERGE_MSG', message);
    repository.writeOwn('MERGE_CONFLICTS', paths.join('\n'));
    for (const path of paths)
      repository.print(`Auto-merging ${path}\nCONFLICT (content): Merge conflict in ${path}`);
    repository.print('Automatic merge failed; fix conflicts and then commit the result.');
    return 1;
  }
}

async function abort(repository: Repository): Promise<number> {
  if (repository.readOwn('MERGE_HEAD') === null)
    throw new GitError('fatal: There is no merge to abort (MERGE_HEAD missing).', 128);
  await git.abortMerge({ ...repository.at, commit: 'HEAD' });
  for (const own of ['MERGE_HEAD', 'MERGE_MSG', 'MERGE_CONFLICTS']) repository.writeOwn(own, null);
  return 0;
}

function printAndSucceed(text: string, repository: Repository): 0 {
  repository.print(text);
  return 0;
}

/** Lists, creates and deletes tags. */
export async function tag(args: readonly string[], repository: Repository): Promise<void> {
  const { flags, values, rest } = readOptions('tag', args, [
    'annotate|a',
    'message=|m=',
    'delete|d',
    'list|l',
    'force|f',
  ]);
  const [name, commit = 'HEAD'] = rest;
  if (name === undefined || flags.has('list')) {
    const tags = await git.listTags(repository.at);
    repository.print(tags.map((each) => `${each}\n`).join(''));
    return undefined;
  }
  if (flags.has('delete')) {
    for (const each of rest) {
      await git.deleteTag({ ...repository.at, ref: each });
      repository.print(`Deleted tag '${each}'`);
    }
    return undefined;
  }
  const object = await repository.commit(commit);
  const message = values.get('message');
  const force = flags.has('force');
  try {
    if (message === undefined && !flags.has('annotate'))
      await git.tag({ ...repository.at, ref: name, object, force });
    else
      await git.annotatedTag({
        ...repository.at,
        ref: name,
        object,
        force,
        message: message ?? '',
        tagger: await repository.author(),
      });
  } catch (error) {
    if (error instanceof git.Errors.AlreadyExistsError)
      throw new GitError(`fatal: tag '${name}' already exists`, 128);
    throw error;
  }
}
