import * as git from 'isomorphic-git';
import { joinPath } from '../../paths.js';
import { fileSystemOf } from '../file-system.js';
import { readOptions } from '../options.js';
import { GitError, Repository, short, type Context } from '../repository.js';
import { merge } from './branches.js';

/** Copies a remote repository. */
export async function clone(
  args: readonly string[],
  context: Context,
  http: git.HttpClient,
): Promise<number> {
  const { values, flags, rest } = readOptions('clone', args, [
    'depth=',
    'branch=|b=',
    'single-branch',
    'no-checkout|n',
    'quiet|q',
  ]);
  const [url, folder] = rest;
  if (url === undefined) throw new GitError('fatal: You must specify a repository to clone.', 129);
  const name =
    folder ??
    url
      .replace(/\/+$/u, '')
      .replace(/\.git$/u, '')
      .split('/')
      .at(-1) ??
    'repository';
  const dir = joinPath(context.cwd, name);
  if (context.files.stat(dir) !== null && context.files.list(dir).length > 0)
    throw new GitError(
      `fatal: destination path '${name}' already exists and is not an empty directory.`,
      128,
    );
  if (context.files.stat(dir) === null) context.files.makeDirectory(dir);
  const depth = values.get('depth');
  const ref = values.get('branch');
  context.output.print('stderr', `Cloning into '${name}'...\n`);
  await git.clone({
    fs: fileSystemOf(context.files),
    http,
    dir,
    url,
    singleBranch: flags.has('single-branch') || depth !== undefined,
    noCheckout: flags.has('no-checkout'),
    ...(depth === undefined ? {} : { depth: Number(depth) }),
    ...(ref === undefined ? {} : { ref }),
  });
  return 0;
}

/** Fetches from a remote repository. */
export async function fetchRemote(
  args: readonly string[],
  repository: Repository,
  http: git.HttpClient,
): Promise<number> {
  const { values, flags, rest } = readOptions('fetch', args, [
    'depth=',
    'tags|t',
    'prune|p',
    'all',
    'quiet|q',
  ]);
  const [remote = 'origin', ref] = rest;
  const depth = values.get('depth');
  await git.fetch({
    ...repository.at,
    http,
    remote,
    tags: flags.has('tags'),
    prune: flags.has('prune'),
    ...(ref === undefined ? {} : { ref, singleBranch: true }),
    ...(depth === undefined ? {} : { depth: Number(depth) }),
  });
  return 0;
}

/** Fetches the current branch and merges it. */
export async function pull(
  args: readonly string[],
  repository: Repository,
  http: git.HttpClient,
): Promise<number> {
  const { flags, rest } = readOptions('pull', args, ['ff-only', 'no-rebase', 'quiet|q']);
  const current = await repository.branch();
  const [remote = 'origin', branch = current] = rest;
  if (branch === null) throw new GitError('fatal: You are not currently on a branch.', 128);
  await fetchRemote([remote, branch], repository, http);
  return merge([`${remote}/${branch}`, ...(flags.has('ff-only') ? ['--ff-only'] : [])], repository);
}

/** Sends a branch to a remote repository. */
export async function push(
  args: readonly string[],
  repository: Repository,
  http: git.HttpClient,
): Promise<number> {
  const { flags, rest } = readOptions('push', args, ['set-upstream|u', 'force|f', 'delete|d', 'quiet|q']);
  const [remote = 'origin', given] = rest;
  const [ref = '', remoteRef] = (given ?? (await repository.branch()) ?? '').split(':');
  if (ref === '') throw new GitError('fatal: You are not currently on a branch.', 128);
  const result = await git.push({
    ...repository.at,
    http,
    remote,
    ref,
    force: flags.has('force'),
    delete: flags.has('delete'),
    ...(remoteRef === undefined ? {} : { remoteRef }),
  });
  if (!result.ok) throw new GitError(`error: failed to push some refs to '${remote}': ${result.error ?? ''}`);
  if (flags.has('set-upstream')) {
    await git.setConfig({ ...repository.at, path: `branch.${ref}.remote`, value: remote });
    await git.setConfig({
      ...repository.at,
      path: `branch.${ref}.merge`,
      value: `refs/heads/${remoteRef ?? ref}`,
    });
  }
  const oid = flags.has('delete') ? '' : short(await repository.commit(ref));
  repository.warn(`To ${remote}\n   ${oid} ${ref} -> ${remoteRef ?? ref}`);
  return 0;
}
