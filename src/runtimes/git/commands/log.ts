import * as git from 'isomorphic-git';
import { readOptions } from '../options.js';
import { GitError, shortId, type Repository } from '../repository.js';
import { compare, printChanges } from './diff.js';

const SHOWING = ['stat', 'name-only', 'name-status', 'patch|p', 'shortstat', 'no-patch|s'];

/** Lists commits. */
export async function log(args: readonly string[], repository: Repository): Promise<void> {
  const known = [
    'oneline',
    'n=|max-count=',
    'format=|pretty=',
    'all',
    'reverse',
    'author=',
    'grep=',
    'decorate',
    'no-decorate',
    'abbrev-commit',
    'follow',
    'date=',
    ...SHOWING,
  ];
  const { flags, values, rest, paths } = readOptions('log', args, known);
  const [range = 'HEAD', ...others] = rest;
  const [from, to = range] = range.includes('..') ? range.split(/\.{2,3}/u) : [undefined, range];
  const head = await repository.head();
  if (head === null)
    throw new GitError(
      `fatal: your current branch '${await repository.branch()}' does not have any commits yet`,
      128,
    );
  const isPath =
    range !== 'HEAD' &&
    from === undefined &&
    repository.files.stat(repository.absolute(repository.relative(range))) !== null &&
    !(await isCommit(range, repository));
  const start = isPath ? head : await repository.commit(to === '' ? 'HEAD' : to);
  const files = [...(isPath ? [range] : []), ...others, ...(paths ?? [])];
  const excluded =
    from === undefined
      ? new Set<string>()
      : new Set(
          (
            await git.log({ ...repository.at, ref: await repository.commit(from === '' ? 'HEAD' : from) })
          ).map(({ oid }) => oid),
        );
  const starts = flags.has('all') ? await allHeads(repository) : [start];
  const found = new Map<string, git.ReadCommitResult>();
  for (const ref of starts)
    for (const each of await git.log({ ...repository.at, ref })) found.set(each.oid, each);
  let commits = [...found.values()].filter(({ oid }) => !excluded.has(oid));
  if (starts.length > 1) commits.sort((a, b) => b.commit.committer.timestamp - a.commit.committer.timestamp);
  const author = values.get('author');
  const pattern = values.get('grep');
  if (author !== undefined)
    commits = commits.filter(({ commit }) =>
      `${commit.author.name} <${commit.author.email}>`.includes(author),
    );
  if (pattern !== undefined)
    commits = commits.filter(({ commit }) => new RegExp(pattern, 'u').test(commit.message));
  if (files.length > 0) commits = await touching(commits, repository.matcher(files), repository);
  commits = commits.slice(0, Number(values.get('n') ?? Infinity));
  if (flags.has('reverse')) commits.reverse();
  const format = values.get('format') ?? (flags.has('oneline') ? 'oneline' : 'medium');
  let isFirst = true;
  for (const each of commits) {
    if (!isFirst && format === 'medium') repository.print('\n');
    isFirst = false;
    repository.print(formatCommit(each, format));
    if (SHOWING.some((name) => flags.has(name.split('|')[0] ?? '')) && !flags.has('no-patch'))
      await printCommit(each, flags, repository);
  }
}

/** Shows commits with their changes, and files of commits. */
export async function show(args: readonly string[], repository: Repository): Promise<void> {
  const { flags, values, rest } = readOptions('show', args, ['format=|pretty=', 'oneline', ...SHOWING]);
  for (const name of rest.length === 0 ? ['HEAD'] : rest) {
    const [commit = '', path] = name.split(/:(.*)/su);
    const oid = await repository.commit(commit === '' ? 'HEAD' : commit);
    if (path !== undefined) {
      const blob = (await repository.tree(oid)).get(repository.relative(path));
      if (blob === undefined) throw new GitError(`fatal: path '${path}' does not exist in '${commit}'`, 128);
      repository.print(new TextDecoder().decode(await repository.blob(blob)));
      continue;
    }
    const read = await git.readCommit({ ...repository.at, oid });
    repository.print(
      formatCommit(read, values.get('format') ?? (flags.has('oneline') ? 'oneline' : 'medium')),
    );
    if (!flags.has('no-patch')) await printCommit(read, flags, repository);
  }
}

async function printCommit(
  { oid, commit }: git.ReadCommitResult,
  flags: ReadonlySet<string>,
  repository: Repository,
): Promise<void> {
  const [parent] = commit.parent;
  if (commit.parent.length > 1) return;
  const before = parent === undefined ? new Map<string, string>() : await repository.tree(parent);
  repository.print('\n');
  await printChanges(
    compare(before, await repository.tree(oid)),
    flags,
    3,
    (_path, blob) => repository.blob(blob),
    repository,
  );
}

async function isCommit(name: string, repository: Repository): Promise<boolean> {
  return repository.commit(name).then(
    () => true,
    () => false,
  );
}

async function allHeads(repository: Repository): Promise<string[]> {
  const branches = await git.listBranches(repository.at);
  return Promise.all(branches.map((ref) => git.resolveRef({ ...repository.at, ref })));
}

/** Returns the commits that changed a matching file. */
async function touching(
  commits: readonly git.ReadCommitResult[],
  matches: (path: string) => boolean,
  repository: Repository,
): Promise<git.ReadCommitResult[]> {
  const found: git.ReadCommitResult[] = [];
  for (const each of commits) {
    const [parent] = each.commit.parent;
    const before = parent === undefined ? new Map<string, string>() : await repository.tree(parent);
    if (compare(before, await repository.tree(each.oid)).some(({ path }) => matches(path))) found.push(each);
  }
  return found;
}

/** Formats a commit: `medium`, `oneline`, `short`, or a text with placeholders such as `%h`. */
function formatCommit({ oid, commit }: git.ReadCommitResult, format: string): string {
  const { author, committer, message, parent } = commit;
  const [subject = '', ...body] = message.trimEnd().split('\n');
  if (format === 'oneline') return `${shortId(oid)} ${subject}\n`;
  const template = /^(?:tformat|format):([^]*)$/u.exec(format)?.[1] ?? (format.includes('%') ? format : null);
  if (template !== null) {
    const values: Record<string, string> = {
      H: oid,
      h: shortId(oid),
      s: subject,
      b: body.join('\n').trim(),
      B: message,
      an: author.name,
      ae: author.email,
      ad: formatDate(author),
      ai: isoDateOf(author),
      aI: new Date(author.timestamp * 1000).toISOString(),
      as: isoDateOf(author).slice(0, 10),
      at: String(author.timestamp),
      cn: committer.name,
      ce: committer.email,
      cd: formatDate(committer),
      ci: isoDateOf(committer),
      ct: String(committer.timestamp),
      p: parent.map(shortId).join(' '),
      P: parent.join(' '),
      d: '',
      D: '',
      n: '\n',
      '%': '%',
    };
    return `${template.replaceAll(/%(a[nedisIt]|c[nedit]|[HhsbBpPdDn%])/gu, (_all, name: string) => values[name] ?? '')}\n`;
  }
  const lines = [`commit ${oid}`];
  if (parent.length > 1) lines.push(`Merge: ${parent.map(shortId).join(' ')}`);
  lines.push(`Author: ${author.name} <${author.email}>`);
  if (format !== 'short') lines.push(`Date:   ${formatDate(author)}`);
  lines.push(
    '',
    ...message
      .trimEnd()
      .split('\n')
      .map((line) => (line === '' ? '' : `    ${line}`)),
  );
  return `${lines.join('\n')}\n`;
}

type Signature = git.ReadCommitResult['commit']['author'];

function shifted({ timestamp, timezoneOffset }: Signature): Date {
  return new Date((timestamp - timezoneOffset * 60) * 1000);
}

function zoneOf({ timezoneOffset }: Signature): string {
  const minutes = Math.abs(timezoneOffset);
  return `${timezoneOffset > 0 ? '-' : '+'}${String(Math.floor(minutes / 60)).padStart(2, '0')}${String(minutes % 60).padStart(2, '0')}`;
}

function formatDate(signature: Signature): string {
  const [weekday, day, month, year, time] = shifted(signature).toUTCString().replace(',', '').split(' ');
  return `${weekday} ${month} ${Number(day)} ${time} ${year} ${zoneOf(signature)}`;
}

function isoDateOf(signature: Signature): string {
  return `${shifted(signature).toISOString().slice(0, 19).replace('T', ' ')} ${zoneOf(signature)}`;
}
