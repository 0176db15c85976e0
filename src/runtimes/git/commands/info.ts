import * as git from 'isomorphic-git';
import { joinPath } from '../../paths.js';
import { fileSystemOf } from '../file-system.js';
import { readOptions } from '../options.js';
import { GitError, type GitContext, type Repository } from '../repository.js';

/** Creates a repository. */
export async function init(args: readonly string[], { files, output, cwd }: GitContext): Promise<number> {
  const { flags, values, rest } = readOptions('init', args, ['initial-branch=|b=', 'quiet|q', 'bare']);
  if (flags.has('bare')) throw new GitError('fatal: git init --bare is not available here', 128);
  const dir = joinPath(cwd, rest[0] ?? '.');
  const isNew = files.stat(joinPath(dir, '.git')) === null;
  await makeDirectories(dir, files);
  await git.init({ fs: fileSystemOf(files), dir, defaultBranch: values.get('initial-branch') ?? 'main' });
  const path = joinPath(dir, '.git');
  if (!flags.has('quiet'))
    output.print(
      'stdout',
      `${isNew ? 'Initialized empty' : 'Reinitialized existing'} Git repository in ${path}/\n`,
    );
  return 0;
}

async function makeDirectories(path: string, files: GitContext['files']): Promise<void> {
  path
    .split('/')
    .slice(1)
    .reduce((folder, name) => {
      const place = `${folder}/${name}`;
      if (name !== '' && files.stat(place) === null) files.makeDirectory(place);
      return place;
    }, '');
}

/** Prints what names stand for. */
export async function revParse(args: readonly string[], repository: Repository): Promise<void> {
  for (const arg of args.filter((each) => each !== '--verify' && each !== '-q')) {
    if (arg === '--show-toplevel') repository.print(repository.root);
    else if (arg === '--git-dir') repository.print(joinPath(repository.root, '.git'));
    else if (arg === '--is-inside-work-tree') repository.print('true');
    else if (arg === '--short' || arg === '--abbrev-ref') continue;
    else if (arg === 'HEAD' && args.includes('--abbrev-ref'))
      repository.print((await repository.branch()) ?? 'HEAD');
    else {
      const oid = await repository.commit(arg);
      repository.print(args.includes('--short') ? oid.slice(0, 7) : oid);
    }
  }
}

/** Lists the files of the index. */
export async function listFiles(args: readonly string[], repository: Repository): Promise<void> {
  const { flags, rest, paths } = readOptions('ls-files', args, ['cached|c', 'others|o', 'exclude-standard']);
  const given = [...rest, ...(paths ?? [])];
  const matches = given.length === 0 ? () => true : repository.matcher(given);
  const names = flags.has('others')
    ? (await git.statusMatrix(repository.at))
        .filter(([, head, , stage]) => head === 0 && stage === 0)
        .map(([path]) => path)
    : [...(await repository.index()).keys()];
  repository.print(
    names
      .filter(matches)
      .map((path) => `${path}\n`)
      .join(''),
  );
}

/** Reads and writes the configuration of the repository. */
export async function config(args: readonly string[], repository: Repository): Promise<number> {
  const { flags, rest } = readOptions('config', args, ['global', 'local', 'get', 'unset', 'list|l', 'add']);
  if (flags.has('list')) {
    const text = repository.readOwn('config') ?? '';
    let section = '';
    for (const line of text.split('\n')) {
      const [, name, sub] = /^\s*\[(\w+)(?: "(.*)")?\]/u.exec(line) ?? [];
      if (name !== undefined) section = sub === undefined ? name : `${name}.${sub}`;
      const [, key, value] = /^\s*(\w+)\s*=\s*(.*)$/u.exec(line) ?? [];
      if (key !== undefined) repository.print(`${section}.${key}=${value}`);
    }
    return 0;
  }
  const [path, ...words] = rest;
  if (path === undefined) throw new GitError('usage: git config NAME [VALUE]', 129);
  if (flags.has('unset')) await git.setConfig({ ...repository.at, path, value: undefined });
  else if (words.length > 0) await git.setConfig({ ...repository.at, path, value: words.join(' ') });
  else {
    const value = (await git.getConfig({ ...repository.at, path })) as string | undefined;
    if (value === undefined) return 1;
    repository.print(value);
  }
  return 0;
}

/** Lists, adds and removes remote repositories. */
export async function remote(args: readonly string[], repository: Repository): Promise<void> {
  const { flags, rest } = readOptions('remote', args, ['verbose|v', 'force|f']);
  const [action, name, url] = rest;
  if (action === 'add' && name !== undefined && url !== undefined)
    return git.addRemote({ ...repository.at, remote: name, url, force: flags.has('force') });
  if (action === 'set-url' && name !== undefined && url !== undefined)
    return git.addRemote({ ...repository.at, remote: name, url, force: true });
  if ((action === 'remove' || action === 'rm') && name !== undefined)
    return git.deleteRemote({ ...repository.at, remote: name });
  const remotes = await git.listRemotes(repository.at);
  if (action === 'get-url' && name !== undefined) {
    const found = remotes.find((each) => each.remote === name);
    if (found === undefined) throw new GitError(`error: No such remote '${name}'`, 2);
    repository.print(found.url);
    return;
  }
  if (action !== undefined && action !== 'show')
    throw new GitError(
      `error: git remote ${action} is not available here. There are: add remove set-url get-url show`,
      129,
    );
  const lines = remotes.flatMap((each) =>
    flags.has('verbose')
      ? [`${each.remote}\t${each.url} (fetch)`, `${each.remote}\t${each.url} (push)`]
      : [each.remote],
  );
  repository.print(lines.map((line) => `${line}\n`).join(''));
}
