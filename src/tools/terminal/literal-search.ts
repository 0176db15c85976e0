import type { CustomCommand, IFileSystem } from 'just-bash/browser';

/** A command of the interpreter. */
export type BuiltIn = Extract<CustomCommand, { execute: unknown }>;

/** Options of `rg` after which the lines that match, and their numbers, still decide its output. */
const FLAGS = new Set([
  ...['n', 'N', 'i', 's', 'S', 'c', 'l', 'F', 'w', 'x', 'o', 'q', 'H', 'I', 'u'].map(
    (letter) => `-${letter}`,
  ),
  ...['line-number', 'no-line-number', 'ignore-case', 'case-sensitive', 'smart-case', 'count'].map(
    longOption,
  ),
  ...['count-matches', 'files-with-matches', 'fixed-strings', 'word-regexp', 'line-regexp'].map(longOption),
  ...['only-matching', 'quiet', 'with-filename', 'no-filename', 'hidden', 'no-ignore', 'column'].map(
    longOption,
  ),
  ...['heading', 'vimgrep', 'unrestricted'].map(longOption),
]);
/** Such options with a value. */
const OPTIONS_WITH_VALUE = new Set([
  ...['-g', '-t', '-T', '-m', '-j', '-d'],
  ...['glob', 'type', 'type-not', 'max-count', 'threads', 'max-depth', 'sort'].map(longOption),
]);
const PATTERN = new Set(['-e', '--regexp']);

/** ſ and K, and their bytes, which match s and k without regard to case: a line with one of them is searched. */
const OTHER_CASES = ['\u017f', '\u212a', '\u00c5\u00bf', '\u00e2\u0084\u00aa'];

/**
 * Returns the texts of which a line must contain one to match, whatever the case. Null for a call of `rg` whose pattern is no literal, or whose
 * output depends on other lines.
 */
export function literalsOf(args: readonly string[]): string[] | null {
  const patterns: string[] = [];
  const others: string[] = [];
  let isFixed = false;
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    const [name, value] = arg.startsWith('--') ? splitOption(arg) : [arg];
    if (PATTERN.has(name)) patterns.push(value ?? args[++at] ?? '');
    else if (OPTIONS_WITH_VALUE.has(name)) at += value === undefined ? 1 : 0;
    else if (OPTIONS_WITH_VALUE.has(arg.slice(0, 2)))
      continue; // such as -m1
    else if (!arg.startsWith('-')) others.push(arg);
    else {
      const flags = arg.startsWith('--') ? [arg] : Array.from(arg.slice(1), (letter) => `-${letter}`);
      if (flags.length === 0 || !flags.every((flag) => FLAGS.has(flag))) return null;
      isFixed ||= flags.includes('-F') || flags.includes('--fixed-strings');
    }
  }
  const all = patterns.length > 0 ? patterns : others.slice(0, 1);
  const literals = isFixed ? all : all.flatMap((pattern) => pattern.split('|').map(literalOf));
  const isSearched = (text: string | null): text is string => text !== null && /^[ -~]+$/.test(text);
  return literals.length > 0 && literals.every(isSearched) ? literals : null;
}

/** Options with which the output has no numbers of lines. */
const COUNTS = /^(?:-[a-zA-Z]*[clq][a-zA-Z]*|--count(?:-matches)?|--files-with-matches|--quiet)$/;

/**
 * Returns `rg` with a fast search for literals. Its engine takes milliseconds for each kilobyte, so it gets the lines that contain one of the
 * texts, and empty lines in place of the others.
 */
export function withLiteralSearch(rg: BuiltIn): BuiltIn {
  return {
    ...rg,
    execute(args, context) {
      const literals = literalsOf(args);
      if (literals === null) return rg.execute(args, context);
      const isCounted = args.some((arg) => COUNTS.test(arg));
      const canMatch = containsOne(literals);
      return rg.execute(args, {
        ...context,
        fs: reading(context.fs, async (path) => {
          const text = await context.fs.readFile(path); // twice as fast as the bytes, which most files need not give
          if (!text.includes('\0') && !canMatch(text)) return '';
          return withMatches(await fileBytes(context.fs, path), canMatch, isCounted);
        }),
      });
    },
  };
}

/** Returns files whose bytes another function reads. */
function reading(fs: IFileSystem, read: (path: string) => Promise<string>): IFileSystem {
  return new Proxy(fs, {
    get(target, name) {
      if (name === 'readFileBytes') return read;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
    },
  });
}

async function fileBytes(fs: IFileSystem, path: string): Promise<string> {
  if (fs.readFileBytes === undefined) throw new Error('The files of a shell can be read as bytes.');
  return (await fs.readFileBytes(path)) as unknown as string; // typed so that it is not taken for text
}

/** Returns whether a text may contain one of the literals, whatever the case. A regular expression takes ten times as long. */
function containsOne(literals: readonly string[]): (text: string) => boolean {
  const small = literals.map((literal) => literal.toLowerCase());
  return (text) => {
    const lower = text.toLowerCase();
    return small.some((each) => lower.includes(each)) || OTHER_CASES.some((each) => text.includes(each));
  };
}

/** Returns the lines of a text that can match; unless they are only counted, with empty lines in place of the others before them. */
function withMatches(text: string, canMatch: (text: string) => boolean, isCounted: boolean): string {
  if (text.includes('\0')) return text; // binary, which rg recognizes
  if (!canMatch(text)) return '';
  const lines = text.split('\n');
  if (isCounted) return lines.filter(canMatch).join('\n');
  const shown = lines.map((line) => (canMatch(line) ? line : ''));
  const last = shown.findLastIndex((line) => line !== '');
  return shown.slice(0, last + 1).join('\n') + (last < lines.length - 1 ? '\n' : '');
}

/** Returns the text that a pattern matches; null when it is no literal. */
function literalOf(pattern: string): string | null {
  const text = pattern.replace(/\\([.*+?()[\]{}|^$\\/-])/g, (_, sign: string) =>
    sign === '\\' ? '\0' : sign,
  );
  const bare = pattern.replace(/\\[.*+?()[\]{}|^$\\/-]/g, '');
  return /[\\.*+?()[\]{}|^$]/.test(bare) ? null : text.replaceAll('\0', '\\');
}

function splitOption(option: string): [name: string, value?: string] {
  const at = option.indexOf('=');
  return at === -1 ? [option] : [option.slice(0, at), option.slice(at + 1)];
}

function longOption(name: string): string {
  return `--${name}`;
}
