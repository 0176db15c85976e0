import { createTwoFilesPatch } from 'diff';
import { readOptions } from '../options.js';
import { GitError, shortId, type Repository, type Snapshot } from '../repository.js';

/** A difference of one file between two snapshots. */
interface TreeChange {
  path: string;
  before: string | null;
  after: string | null;
}

/** Reads the content of an object, or of a file of the working tree. */
type Read = (path: string, oid: string) => Promise<Uint8Array>;

const OPTIONS = [
  'cached|staged',
  'stat',
  'name-only',
  'name-status',
  'quiet',
  'exit-code',
  'unified=|U=',
  'color',
  'no-color',
  'shortstat',
];

/** Shows differences between the working tree, the index and commits. */
export async function diff(args: readonly string[], repository: Repository): Promise<number> {
  const { flags, values, rest, paths } = readOptions('diff', args, OPTIONS);
  const { commits, files } = await splitArguments(rest, paths, repository);
  const [first, second] = commits;
  const isStaged = flags.has('cached');
  const head = await repository.head();
  const before =
    first !== undefined ? await repository.tree(first)
    : isStaged ? head === null ? new Map<string, string>() : await repository.tree(head)
    : await repository.index(); // prettier-ignore
  const after =
    second !== undefined ? await repository.tree(second)
    : isStaged ? await repository.index()
    : await repository.workingTree(); // prettier-ignore
  const isWorking = second === undefined && !isStaged;
  const matches = files.length === 0 ? () => true : repository.matcher(files);
  const changes = compare(before, after).filter(({ path }) => matches(path));
  const readAfter: Read = isWorking
    ? async (path) => repository.files.read(repository.absolute(path))
    : (_path, oid) => repository.blob(oid);
  if (!flags.has('quiet'))
    await printChanges(changes, flags, Number(values.get('unified') ?? 3), readAfter, repository);
  return (flags.has('quiet') || flags.has('exit-code')) && changes.length > 0 ? 1 : 0;
}

/** Returns which arguments are commits and which are paths. */
async function splitArguments(
  rest: readonly string[],
  paths: readonly string[] | null,
  repository: Repository,
): Promise<{ commits: string[]; files: string[] }> {
  const commits: string[] = [];
  const files = [...(paths ?? [])];
  for (const each of rest) {
    const range = each.split(/\.{2,3}/u);
    if (range.length === 2)
      for (const name of range) commits.push(await repository.commit(name === '' ? 'HEAD' : name));
    else if (paths === null && repository.files.stat(repository.absolute(repository.relative(each))) !== null)
      files.push(each);
    else
      try {
        commits.push(await repository.commit(each));
      } catch (error) {
        if (paths !== null || !(error instanceof GitError)) throw error;
        files.push(each);
      }
  }
  return { commits, files };
}

/** Returns the differences of two snapshots, sorted by path. */
export function compare(before: Snapshot, after: Snapshot): TreeChange[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .sort()
    .map((path) => ({ path, before: before.get(path) ?? null, after: after.get(path) ?? null }))
    .filter((change) => change.before !== change.after);
}

/** Prints changes as a patch, or as the flags ask. */
export async function printChanges(
  changes: readonly TreeChange[],
  flags: ReadonlySet<string>,
  context: number,
  readAfter: Read,
  repository: Repository,
): Promise<void> {
  if (flags.has('name-only') || flags.has('name-status')) {
    const lines = changes.map(
      (change) => `${flags.has('name-only') ? '' : `${letter(change)}\t`}${change.path}\n`,
    );
    repository.print(lines.join(''));
    return;
  }
  const texts = await Promise.all(
    changes.map(async ({ path, before, after }) => ({
      path,
      before: before === null ? null : await repository.blob(before),
      after: after === null ? null : await readAfter(path, after),
      ids: [before, after] as const,
    })),
  );
  if (flags.has('stat') || flags.has('shortstat'))
    repository.print(statistics(texts, flags.has('shortstat')));
  else for (const each of texts) repository.print(patchOf(each, context));
}

interface Texts {
  path: string;
  before: Uint8Array | null;
  after: Uint8Array | null;
  ids: readonly [string | null, string | null];
}

function patchOf({ path, before, after, ids: [from, to] }: Texts, context: number): string {
  const lines = [`diff --git a/${path} b/${path}`];
  if (before === null) lines.push('new file mode 100644');
  if (after === null) lines.push('deleted file mode 100644');
  const none = '0'.repeat(7);
  lines.push(
    `index ${from === null ? none : shortId(from)}..${to === null ? none : shortId(to)}${before === null || after === null ? '' : ' 100644'}`,
  );
  if ([before, after].some(isBinary))
    return `${[...lines, `Binary files ${before === null ? '/dev/null' : `a/${path}`} and ${after === null ? '/dev/null' : `b/${path}`} differ`].join('\n')}\n`;
  const patch = createTwoFilesPatch(
    before === null ? '/dev/null' : `a/${path}`,
    after === null ? '/dev/null' : `b/${path}`,
    decodeBlob(before),
    decodeBlob(after),
    undefined,
    undefined,
    { context },
  );
  const body = patch
    .slice(patch.indexOf('--- '))
    .replaceAll(/^(---|\+\+\+) (.*)\t$/gmu, '$1 $2')
    .replaceAll(/^@@ -(\d+)(,\d+)? \+(\d+)(,\d+)? @@/gmu, hunkHeader);
  return `${[...lines, body.trimEnd()].join('\n')}\n`;
}

/** git omits the count of one line. */
function hunkHeader(_all: string, from: string, removed = '', to = '', added = ''): string {
  const count = (text: string): string => (text === ',1' ? '' : text);
  return `@@ -${from}${count(removed)} +${to}${count(added)} @@`;
}

function statistics(texts: readonly Texts[], isShort: boolean): string {
  const counts = texts.map(({ path, before, after }) => ({ path, ...countChangedLines(before, after) }));
  const total = counts.reduce(
    (sum, { added, removed }) => ({ added: sum.added + added, removed: sum.removed + removed }),
    { added: 0, removed: 0 },
  );
  if (counts.length === 0) return '';
  const width = Math.max(...counts.map(({ path }) => path.length));
  const digits = Math.max(...counts.map(({ added, removed }) => String(added + removed).length));
  const rows = counts.map(
    ({ path, added, removed }) =>
      ` ${path.padEnd(width)} | ${String(added + removed).padStart(digits)} ${'+'.repeat(Math.min(added, 30))}${'-'.repeat(Math.min(removed, 30))}\n`,
  );
  const parts = [
    ` ${counts.length} file${counts.length === 1 ? '' : 's'} changed`,
    ...(total.added > 0 ? [`${total.added} insertion${total.added === 1 ? '' : 's'}(+)`] : []),
    ...(total.removed > 0 ? [`${total.removed} deletion${total.removed === 1 ? '' : 's'}(-)`] : []),
  ];
  return `${isShort ? '' : rows.join('')}${parts.join(', ')}\n`;
}

function countChangedLines(
  before: Uint8Array | null,
  after: Uint8Array | null,
): { added: number; removed: number } {
  const lines = createTwoFilesPatch('', '', decodeBlob(before), decodeBlob(after), undefined, undefined, {
    context: 0,
  })
    .split('\n')
    .slice(4);
  return {
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
  };
}

function letter({ before, after }: TreeChange): string {
  return before === null ? 'A' : after === null ? 'D' : 'M';
}

function isBinary(content: Uint8Array | null): boolean {
  return content !== null && content.subarray(0, 8000).includes(0);
}

function decodeBlob(content: Uint8Array | null): string {
  return content === null ? '' : new TextDecoder().decode(content);
}
