import { isRecord } from '../../core/json.js';
import type { BuiltIn } from './literal-search.js';

type BuiltInContext = Parameters<BuiltIn['execute']>[1];
type BuiltInResult = Awaited<ReturnType<BuiltIn['execute']>>;
type RunBuiltIn = (args: string[], context: BuiltInContext) => Promise<BuiltInResult>;

/** What is done about a command that differs from that of GNU without a message. */
interface CommandDifference {
  /** Returns why a call is refused, with what to use instead; null for other calls. */
  refuse?: (args: readonly string[]) => string | null;
  /** Runs a call that is not refused. */
  run?: (run: RunBuiltIn, args: string[], context: BuiltInContext) => Promise<BuiltInResult>;
}

/** Returns the commands of the interpreter, with those that differ replaced. */
export function withoutDifferences(commands: ReadonlyMap<string, BuiltIn>): BuiltIn[] {
  return Object.entries(DIFFERENCES).flatMap(([name, { refuse, run }]) => {
    const command = commands.get(name);
    if (command === undefined) return [];
    const original: RunBuiltIn = async (args, context) => command.execute(args, context);
    const execute: RunBuiltIn = async (args, context) => {
      const reason = refuse?.(args) ?? null;
      if (reason !== null) return { stdout: '', stderr: `${name}: ${reason}\n`, exitCode: 2 };
      return run === undefined ? original(args, context) : run(original, args, context);
    };
    return [{ ...command, execute }];
  });
}

/** Returns a check of all arguments together, one a line. */
const when =
  (...rules: readonly (readonly [pattern: RegExp, sentence: string])[]) =>
  (args: readonly string[]): string | null =>
    rules.find(([pattern]) => pattern.test(args.join('\n')))?.[1] ?? null;

/** Changes the arguments of a call. */
const withArguments =
  (change: (args: readonly string[]) => string[]): NonNullable<CommandDifference['run']> =>
  (run, args, context) =>
    run(change(args), context);

/** A line number, the last line, or an expression, in a script of sed. */
const ADDRESS = String.raw`(?:\d+|\$|/(?:\\.|[^/\\\n])*/)`;

const DIFFERENCES: Readonly<Record<string, CommandDifference>> = {
  awk: {
    refuse: when(
      [
        /(?:^|[{;\n])\s*\w+\[[^\]]*\]\s*(?:;|\}|$)/u,
        'naming an element does not create it here. Write a[x] = 1.',
      ],
      [
        /\blength\(\s*(\w+)\s*\)(?=[^]*\b\1\[)|\b(\w+)\[[^]*\blength\(\s*\2\s*\)/u,
        'length(array) is 0 here. Count with: for (k in a) n++',
      ],
      [/%0\d+\.\d/u, 'printf does not fill fractions with zeros here. Use the printf of the shell.'],
      [/\bRS\s*=\s*""/u, 'RS = "" finds empty records here. Split at empty lines in the program.'],
      [
        /\bprint[^;}\n]*>\s*(?:"[^"]*"\s*[\w$(]|\$?\w+\s*")/u,
        'put the name of the output file into parentheses: print > ("out-" $1)',
      ],
    ),
    run: withArguments((args) =>
      args.map((arg, at) => (args[at - 1] === '-v' || arg.startsWith('-v') ? expandEscapes(arg) : arg)),
    ),
  },
  date: {
    run: withArguments((args) =>
      args.map((arg) => (/^(?:-I(?:date)?|--iso-8601(?:=date)?)$/u.test(arg) ? '+%F' : arg)),
    ),
  },
  diff: {
    run: async (run, args, context) => {
      const { stdout, stderr, ...result } = await run(args, context);
      const isUnified = stdout === '' || args.some((arg) => /^(?:-\w*[uq]|--unified|--brief)/u.test(arg));
      const note = isUnified ? '' : 'diff: the output is in the unified format, as with -u.\n';
      return { ...result, stdout: stdout.replace(/^=+\n/u, ''), stderr: stderr + note };
    },
  },
  env: {
    refuse: (args) =>
      /^\w+=/u.test(args[0] ?? '') && args.some((arg) => !arg.includes('='))
        ? 'variables do not reach the command here. Write: NAME=value command'
        : null,
  },
  expr: {
    refuse: when([
      /\n:\n[^]*\\\(/u,
      'groups of a pattern are not returned here. Use [[ text =~ pattern ]] and ${BASH_REMATCH[1]}.',
    ]),
  },
  find: {
    refuse: when([
      /(?:^|\n)-i?regex\n.*\\[(|]/u,
      'groups and alternatives of -regex match nothing here. Use -name with -o.',
    ]),
  },
  grep: { run: grep },
  jq: {
    refuse: when(
      [/@sh\b/u, '@sh is null here. Quote in the shell.'],
      [
        /\bdel\([^)]*,|\bdel\([^)]*\bselect\b/u,
        'del with several paths, or with select, keeps the others here. Chain del(.a) | del(.b); for elements use map(select(… | not)).',
      ],
      [/\bwalk\(/u, 'walk changes nothing here. Name the paths, or use map and map_values.'],
      [/\{(?:[^{}[\]()]*,)?\s*\$\w+\s*[,}]/u, 'the short form {$name} is null here. Write {name: $name}.'],
      [
        /(?:^|\W)tostream\b|\blabel\s+\$/u,
        'tostream and label work differently here. Use paths, limit and first.',
      ],
    ),
    run: withArguments((args) =>
      args.map((arg) =>
        arg.startsWith('-') ? arg.replace(/^-(\w*)j/u, '-$1rj') : arg.replaceAll('@csv', CSV),
      ),
    ),
  },
  ls: {
    refuse: when([/(?:^|\n)-\w*S/u, '-S sorts by name here. Use: ls -l | sort -k5 -n -r']),
    run: ls,
  },
  od: {
    refuse: when([
      /(?:^|\n)-(?:t|\w*(?:d|t|u|x)|j|N|w)/u,
      'there are only octal bytes and characters (-c) here. Use base64, or a program.',
    ]),
  },
  paste: {
    run: withArguments((args) =>
      args.map((arg, at) => (args[at - 1] === '-d' || arg.startsWith('-d') ? expandEscapes(arg) : arg)),
    ),
  },
  sed: {
    refuse: when(
      [
        /\\[ULul](?:&|\\\d)/u,
        '\\U, \\L, \\u and \\l are no commands of a replacement here. Use tr, or toupper() of awk.',
      ],
      [
        new RegExp(String.raw`(?:^|[\n;{])\s*${ADDRESS}?(?:,${ADDRESS})?\s*!?\s*[aic]\\[^\n]`, 'u'),
        'write the text of a, i and c without the backslash: 2i text',
      ],
      [
        /(?:^|[\n;{\d$/}])\s*s(\W)(?:\\.|(?!\1).)*\1(?:\\.|(?!\1).)*\1(?:\w*\d\w*g|\w*g\w*\d)/u,
        'a number and g together replace all here. Use several commands, or awk.',
      ],
      [
        /(?:^|\n)(?:-i\S+|--in-place=)/u,
        '-i with a suffix keeps no copy here. Copy the file first: cp file file.bak',
      ],
    ),
  },
  sort: { run: sort },
  xargs: {
    run: async (run, args, context) => {
      const result = await run(args, context);
      const isEmpty =
        (context.stdin as unknown as string).trim() === '' &&
        !args.some((arg) => /^(?:-\w*r|--no-run-if-empty)/u.test(arg));
      return isEmpty
        ? {
            ...result,
            stderr: `${result.stderr}xargs: there was no input, so nothing was run, as with -r.\n`,
          }
        : result;
    },
  },
};

/** The format @csv with all texts in quotes. */
const CSV =
  '(map(if type == "string" then "\\"" + gsub("\\"";"\\"\\"") + "\\"" elif . == null then "" else tostring end) | join(","))';

/** Reads the escapes of a tab and of a line break. */
function expandEscapes(text: string): string {
  return text.replaceAll('\\t', '\t').replaceAll('\\n', '\n');
}

/** Options of grep with a value. */
const VALUED = new Set(['-A', '-B', '-C', '-m', '-f', '-d']);

/** Searches for all patterns, and names files as GNU does. */
async function grep(run: RunBuiltIn, args: string[], context: BuiltInContext): Promise<BuiltInResult> {
  const patterns: string[] = [];
  const options: string[] = [];
  const operands: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    const [, flags] = /^-(\w*)e$/u.exec(arg) ?? [];
    if (flags !== undefined) {
      patterns.push(args[(at += 1)] ?? '');
      if (flags !== '') options.push(`-${flags}`);
    } else if (arg.startsWith('--regexp=')) patterns.push(arg.slice('--regexp='.length));
    else if (VALUED.has(arg)) options.push(arg, args[(at += 1)] ?? '');
    else (arg.startsWith('-') && arg !== '-' ? options : operands).push(arg);
  }
  const has = (pattern: RegExp): boolean => options.some((option) => pattern.test(option));
  if (patterns.length > 1 && has(/^(?:-\w*F|--fixed-strings)/u)) {
    const stderr = 'grep: several -e with -F find only the last one here. Use -e without -F.\n';
    return { stdout: '', stderr, exitCode: 2 };
  }
  const separator = has(/^(?:-\w*[EP]|--(?:extended|perl)-regexp)/u) ? '|' : '\\|';
  const pattern = patterns.length > 0 ? patterns.join(separator) : operands.shift();
  if (pattern === undefined || !has(/^(?:-\w*[rR]|--recursive)/u))
    return run(patterns.length > 1 ? [...options, '-e', pattern ?? '', ...operands] : args, context);
  const places = operands.length === 0 ? ['.'] : operands;
  const { stdout, ...result } = await run([...options, '-e', pattern, ...places], context);
  const named = operands.includes('.') ? stdout.replace(/^(?!\.{0,2}\/|$|--$|Binary )/gmu, './') : stdout;
  return { ...result, stdout: named.replace(/^\.\/\//gmu, './') };
}

/** Lists files before directories, without empty lines between files, and without marks of programs. */
async function ls(run: RunBuiltIn, args: string[], context: BuiltInContext): Promise<BuiltInResult> {
  const options = args.filter((arg) => arg.startsWith('-') && arg !== '-');
  const names = args.filter((arg) => !options.includes(arg));
  const isPlain = options.some((arg) => /^-\w*d/u.test(arg));
  const isFile = async (name: string): Promise<boolean> =>
    isPlain ||
    (await context.fs.stat(context.fs.resolvePath(context.cwd, name)).catch(() => null))?.isFile === true;
  const kinds = await Promise.all(names.map(isFile));
  const inOrder = (some: string[]): string[] => {
    if (options.some((arg) => /^-\w*[tUf]/u.test(arg))) return some;
    const sorted = some.toSorted();
    return options.some((arg) => /^-\w*r/u.test(arg)) ? sorted.reverse() : sorted;
  };
  const files = inOrder(names.filter((_, at) => kinds[at]));
  const folders = inOrder(names.filter((_, at) => !kinds[at]));
  const marked = (result: BuiltInResult): BuiltInResult =>
    options.some((arg) => /^-\w*F/u.test(arg))
      ? { ...result, stdout: result.stdout.replace(/\*$/gmu, '') }
      : result;
  if (files.length === 0) return marked(await run(args, context));
  const first = await run([...options, ...files], context);
  const lines = { ...first, stdout: first.stdout.replace(/\n{2,}/gu, '\n') };
  if (folders.length === 0) return marked(lines);
  const rest = await run([...options, ...folders], context);
  const header =
    folders.length === 1 && rest.exitCode === 0 && !rest.stdout.startsWith(`${folders[0]}:`)
      ? `${folders[0]}:\n`
      : '';
  return marked({
    ...rest,
    stdout: `${lines.stdout}${rest.stdout === '' ? '' : `\n${header}${rest.stdout}`}`,
    stderr: lines.stderr + rest.stderr,
    exitCode: Math.max(lines.exitCode, rest.exitCode),
  });
}

/** Sorts by keys to the end of the line. */
async function sort(run: RunBuiltIn, args: string[], context: BuiltInContext): Promise<BuiltInResult> {
  const keyed = args.map((arg, at) => {
    const isKey = args[at - 1] === '-k' || /^-k\d/u.test(arg);
    return isKey ? arg.replace(/^(-k)?(\d+)$/u, '$1$2,99') : arg;
  });
  const result = await run(keyed, context);
  if (!args.some((arg) => /^(?:-\w*f|--ignore-case)/u.test(arg))) return result;
  return {
    ...result,
    stderr: `${result.stderr}sort: lines that differ in case only keep their order here.\n`,
  };
}

/** Why scripts are refused that the interpreter would run otherwise than bash, without a message. */
const REFUSAL_REASONS = {
  directories: 'a pattern that ends in / also matches files here. Use: find . -maxdepth 1 -type d',
  loop: 'a loop without "in" splits its arguments at spaces here. Write: for NAME in "$@"; do',
  array:
    'an array of "$@" that is declared and set at once is split at spaces here. Declare it first, then set it: local -a a; a=("$@")',
  join: '"${array[*]}" is not joined with IFS in assignments and here-strings here. Print it: printf \'%s\\n\' "${array[@]}"',
} as const;

/**
 * Returns why a script would do something else than in bash, and what to write instead; null for other scripts.
 *
 * @param ast of the interpreter's parser
 */
export function scriptDifference(ast: unknown): string | null {
  const found = new Set<keyof typeof REFUSAL_REASONS>();
  /** What the script does with arrays: sets the separator, and joins with it. */
  const seen = { separator: false, join: false };
  visitNodes(ast, (node) => {
    if (node['type'] === 'For' && node['words'] === null) found.add('loop');
    const words = [...wordParts(node['args']), ...(node['type'] === 'For' ? wordParts(node['words']) : [])];
    if (node['type'] === 'SimpleCommand' || node['type'] === 'For') {
      if (words.some(endsAtDirectories)) found.add('directories');
      if (isDeclaration(node['name']) && words.some(isArrayOfArguments)) found.add('array');
    }
    if (node['type'] === 'Assignment') {
      seen.separator ||= node['name'] === 'IFS';
      seen.join ||= hasJoin(node['value']);
    }
    seen.join ||= node['operator'] === '<<<' && hasJoin(node['target']);
  });
  if (seen.separator && seen.join) found.add('join');
  const [first] = found;
  return first === undefined ? null : REFUSAL_REASONS[first];
}

type ScriptNode = Record<string, unknown>;

function visitNodes(value: unknown, see: (node: ScriptNode) => void): void {
  if (Array.isArray(value)) for (const each of value) visitNodes(each, see);
  if (!isRecord(value)) return;
  see(value);
  for (const each of Object.values(value)) if (typeof each === 'object') visitNodes(each, see);
}

function wordParts(value: unknown): ScriptNode[][] {
  if (!Array.isArray(value)) return [];
  return value.map((word) => {
    const parts = isRecord(word) ? word['parts'] : null;
    return Array.isArray(parts) ? parts.filter(isRecord) : [];
  });
}

/** Returns whether a word is a pattern such as `src/NAME/` with a star for the name. */
function endsAtDirectories(parts: readonly ScriptNode[]): boolean {
  const last = parts.at(-1)?.['value'];
  return typeof last === 'string' && last.endsWith('/') && parts.some(({ type }) => type === 'Glob');
}

function isDeclaration(name: unknown): boolean {
  const [[part] = []] = wordParts([name]);
  return ['local', 'declare', 'typeset', 'readonly', 'export'].includes(String(part?.['value']));
}

/** Returns whether a word is `name=("$@")`. */
function isArrayOfArguments(parts: readonly ScriptNode[]): boolean {
  const first = parts[0]?.['value'];
  return (
    typeof first === 'string' && /=\(\s*$/u.test(first) && JSON.stringify(parts).includes('"parameter":"@"')
  );
}

function hasJoin(value: unknown): boolean {
  return /"parameter":"\w+\[\*\]"/u.test(JSON.stringify(value ?? null));
}
