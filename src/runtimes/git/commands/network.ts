import * as git from 'isomorphic-git';
import type { GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git';
import { isUrl } from '../../../core/is-url.js';
import type { NetworkAccess } from '../../../core/program.js';
import { joinPath } from '../../paths.js';
import { fileSystemOf } from '../file-system.js';
import { readOptions } from '../options.js';
import { GitError, Repository, shortId, type GitContext } from '../repository.js';
import { merge } from './branches.js';

/** Copies a remote repository. */
export async function clone(
  args: readonly string[],
  context: GitContext,
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
  const oid = flags.has('delete') ? '' : shortId(await repository.commit(ref));
  repository.warn(`To ${remote}\n   ${oid} ${ref} -> ${remoteRef ?? ref}`);
  return 0;
}

/** What git did on the network. */
export interface Traffic {
  /** Origins to which it sent requests. */
  fetched: Set<string>;
  /** The request before which it ended, because the user has not allowed requests yet. */
  needed: string | null;
}

/** Returns git's client for the addresses that the application allows. It adds to `traffic`. */
export function httpClient(network: NetworkAccess | null, isOffline: boolean, traffic: Traffic): HttpClient {
  return {
    async request({ url, method = 'GET', headers = {}, body }: GitHttpRequest): Promise<GitHttpResponse> {
      checkAllowed(url, method, network);
      if (isOffline) {
        traffic.needed ??= `${method} ${url}`;
        throw new GitError('fatal: The user has not allowed requests.', 128);
      }
      traffic.fetched.add(new URL(url).origin);
      const parts: Uint8Array[] = [];
      if (body !== undefined) for await (const part of body) parts.push(part);
      const content = parts.length === 0 ? {} : { body: new Blob(parts as Uint8Array<ArrayBuffer>[]) };
      const response = await fetch(url, {
        method,
        headers,
        ...content,
        redirect: 'error',
        credentials: 'omit',
      });
      const bytes = new Uint8Array(await response.arrayBuffer());
      return {
        url: response.url,
        method,
        statusCode: response.status,
        statusMessage: response.statusText,
        headers: Object.fromEntries(response.headers),
        body: (async function* () {
          yield bytes;
        })(),
      };
    },
  };
}

/** @throws GitError that says what the application must allow. */
function checkAllowed(url: string, method: string, network: NetworkAccess | null): void {
  const methods: readonly string[] = network?.methods ?? ['GET', 'HEAD'];
  const isAllowed = (network?.urls ?? []).some((prefix) => isWithinPrefix(url, prefix));
  if (isAllowed && methods.includes(method)) return;
  const origin = isUrl(url) ? new URL(url).origin : url;
  throw new GitError(
    `fatal: unable to access '${url}': the application has not allowed it. It can, with terminal({ network: { urls: ['${origin}/'], methods: ['GET', 'POST'] } }).`,
    128,
  );
}

function isWithinPrefix(url: string, prefix: string): boolean {
  if (!isUrl(url) || !isUrl(prefix)) return false;
  const [address, allowed] = [new URL(url), new URL(prefix)];
  const folder = allowed.pathname.endsWith('/') ? allowed.pathname : `${allowed.pathname}/`;
  return (
    address.origin === allowed.origin &&
    (`${address.pathname}/`.startsWith(folder) || address.pathname.startsWith(folder))
  );
}
