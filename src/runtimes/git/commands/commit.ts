import * as git from 'isomorphic-git';
import { readOptions } from '../options.js';
import { GitError, shortId, type Repository } from '../repository.js';
import { compare, printChanges } from './diff.js';
import { stageChanges } from './staging.js';
import { conflictsOf, statesOf, status } from './status.js';

/** Commits the index. */
export async function commit(args: readonly string[], repository: Repository): Promise<number> {
  const known = [
    'message=|m=',
    'all|a',
    'amend',
    'allow-empty',
    'no-edit',
    'quiet|q',
    'file=|F=',
    'author=',
    'no-verify|n',
  ];
  const { flags, values } = readOptions('commit', args, known);
  const states = await statesOf(repository);
  if (flags.has('all'))
    await stageChanges(
      states.filter(({ index }) => index !== '?'),
      repository,
    );
  if (conflictsOf(repository).length > 0)
    throw new GitError(
      "error: Committing is not possible because you have unmerged files.\nhint: Fix them up in the work tree, and then use 'git add <file>'.",
      128,
    );
  const head = await repository.head();
  const amended =
    flags.has('amend') && head !== null ? await git.readCommit({ ...repository.at, oid: head }) : null;
  const merged = repository.readOwn('MERGE_HEAD');
  const message = await commitMessage(
    values,
    amended?.commit.message ?? repository.readOwn('MERGE_MSG'),
    repository,
  );
  const parents = amended?.commit.parent ?? [
    ...(head === null ? [] : [head]),
    ...(merged === null ? [] : [merged]),
  ];
  const before = parents[0] === undefined ? new Map<string, string>() : await repository.tree(parents[0]);
  const changes = compare(before, await repository.index());
  if (changes.length === 0 && merged === null && amended === null && !flags.has('allow-empty')) {
    await status([], repository);
    return 1;
  }
  const author = parseAuthor(values.get('author')) ?? {};
  const committer = await repository.author();
  const oid = await git.commit({
    ...repository.at,
    message,
    author: { ...committer, ...author },
    committer,
    ...(amended === null ? { parent: parents } : { amend: true }),
  });
  for (const own of ['MERGE_HEAD', 'MERGE_MSG', 'MERGE_CONFLICTS']) repository.writeOwn(own, null);
  if (flags.has('quiet')) return 0;
  const branch = (await repository.branch()) ?? 'detached HEAD';
  repository.print(
    `[${branch}${head === null ? ' (root-commit)' : ''} ${shortId(oid)}] ${message.split('\n')[0]}`,
  );
  await printChanges(changes, new Set(['shortstat']), 0, (_path, blob) => repository.blob(blob), repository);
  return 0;
}

async function commitMessage(
  values: ReadonlyMap<string, string>,
  otherwise: string | null,
  repository: Repository,
): Promise<string> {
  const file = values.get('file');
  const text =
    file === undefined
      ? values.get('message')
      : new TextDecoder().decode(repository.files.read(repository.absolute(repository.relative(file))));
  const message = text ?? otherwise;
  if (message === null) throw new GitError('error: there is no editor here; give the message with -m', 1);
  if (message.trim() === '') throw new GitError('Aborting commit due to empty commit message.');
  return message;
}

function parseAuthor(text: string | undefined): { name: string; email: string } | null {
  const [, name, email] = /^(.*) <(.*)>$/u.exec(text ?? '') ?? [];
  return name === undefined || email === undefined ? null : { name, email };
}
