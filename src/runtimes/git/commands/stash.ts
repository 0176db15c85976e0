import * as git from 'isomorphic-git';
import { readOptions } from '../options.js';
import { GitError, shortId, type Repository } from '../repository.js';
import { compare, printChanges } from './diff.js';
import { statesOf } from './status.js';

/** Sets changes aside and brings them back. */
export async function stash(args: readonly string[], repository: Repository): Promise<void> {
  const [first = 'push'] = args;
  const isOption = first.startsWith('-');
  const operation = isOption ? 'push' : first;
  const rest = isOption ? args : args.slice(1);
  switch (operation) {
    case 'push':
    case 'save':
      return pushStash(operation === 'save' && rest.length > 0 ? ['-m', rest.join(' ')] : rest, repository);
    case 'list':
      return listStash(repository);
    case 'show':
      return showStash(rest, repository);
    case 'pop':
    case 'apply':
    case 'drop': {
      const index = await indexOf(rest[0], repository);
      await git.stash({ ...repository.at, op: operation, refIdx: index });
      repository.print(operation === 'apply' ? '' : `Dropped stash@{${index}}`);
      return undefined;
    }
    case 'clear':
      await git.stash({ ...repository.at, op: 'clear' });
      return undefined;
    default:
      throw new GitError(
        `error: git stash ${operation} is not available here. There are: push pop apply drop list show clear`,
        129,
      );
  }
}

async function pushStash(args: readonly string[], repository: Repository): Promise<void> {
  const { flags, values, rest } = readOptions('stash', args, [
    'message=|m=',
    'quiet|q',
    'include-untracked|u',
    'keep-index|k',
  ]);
  if (flags.has('include-untracked') || flags.has('keep-index') || rest.length > 0)
    throw new GitError(
      'error: git stash here takes no paths, no -u and no -k; add new files with git add first.',
      129,
    );
  const changed = (await statesOf(repository)).filter(({ index }) => index !== '?');
  if (changed.length === 0) {
    repository.print('No local changes to save');
    return;
  }
  const head = await repository.head();
  if (head === null) throw new GitError('fatal: You do not have the initial commit yet', 128);
  const { commit } = await git.readCommit({ ...repository.at, oid: head });
  const about = `${(await repository.branch()) ?? '(no branch)'}: ${shortId(head)} ${commit.message.split('\n')[0]}`;
  const message = values.get('message');
  const author = await repository.author();
  await setAuthor(author, repository);
  await git.stash({ ...repository.at, op: 'push', ...(message === undefined ? {} : { message }) });
  repository.print(
    `Saved working directory and index state ${message === undefined ? `WIP on ${about}` : `On ${(await repository.branch()) ?? 'HEAD'}: ${message}`}`,
  );
}

/** The library takes the author of a stash only from the configuration. */
async function setAuthor(
  { name, email }: { name: string; email: string },
  repository: Repository,
): Promise<void> {
  for (const [path, value] of [
    ['user.name', name],
    ['user.email', email],
  ] as const)
    if ((await git.getConfig({ ...repository.at, path })) === undefined)
      await git.setConfig({ ...repository.at, path, value });
}

async function entries(repository: Repository): Promise<string[]> {
  const listed = (await git.stash({ ...repository.at, op: 'list' })) as unknown as
    string | string[] | undefined;
  return Array.isArray(listed) ? listed.map(String) : (listed ?? '').split('\n').filter(Boolean);
}

async function listStash(repository: Repository): Promise<void> {
  const all = await entries(repository);
  repository.print(all.map((entry) => `${entry}\n`).join(''));
}

async function indexOf(name: string | undefined, repository: Repository): Promise<number> {
  const [, digits = '0'] = /^(?:stash@\{)?(\d+)\}?$/u.exec(name ?? '0') ?? [];
  const count = (await entries(repository)).length;
  if (count === 0) throw new GitError('No stash entries found.');
  if (Number(digits) >= count) throw new GitError(`error: stash@{${digits}} is not a valid reference`);
  return Number(digits);
}

async function showStash(args: readonly string[], repository: Repository): Promise<void> {
  const { flags, rest } = readOptions('stash show', args, ['patch|p', 'stat']);
  const index = await indexOf(rest[0], repository);
  const log = repository.readOwn('logs/refs/stash')?.split('\n').toReversed() ?? [];
  const oid = log[index]?.split(' ')[1] ?? '';
  const { commit } = await git.readCommit({ ...repository.at, oid });
  const changes = compare(await repository.tree(commit.parent[0] ?? ''), await repository.tree(oid));
  const shown = flags.has('patch') ? new Set<string>() : new Set(['stat']);
  await printChanges(changes, shown, 3, (_path, blob) => repository.blob(blob), repository);
}
