import { GitError } from './repository.js';

/** Options of a command by name: flags are `true`, others have a value. Several values of one option are joined with line breaks. */
export interface ParsedOptions {
  flags: ReadonlySet<string>;
  values: ReadonlyMap<string, string>;
  /** Arguments before `--`. */
  rest: string[];
  /** Arguments after `--`; null without `--`. */
  paths: string[] | null;
}

/**
 * Reads arguments. `known`: names of options, with `=` at the end of those with a value and with aliases after `|`, such as `message=|m=`.
 *
 * @throws GitError for an unknown option.
 */
export function readOptions(
  command: string,
  args: readonly string[],
  known: readonly string[],
): ParsedOptions {
  const names = new Map<string, { name: string; takesValue: boolean }>();
  for (const each of known) {
    const [main = '', ...aliases] = each.split('|');
    for (const alias of [main, ...aliases])
      names.set(alias.replace('=', ''), { name: main.replace('=', ''), takesValue: alias.endsWith('=') });
  }
  const flags = new Set<string>();
  const values = new Map<string, string>();
  const rest: string[] = [];
  const queue = [...args];
  const unknown = (arg: string): never => {
    const all = known.map((each) => each.split('|')[0]?.replace('=', '') ?? '');
    throw new GitError(
      `error: unknown option \`${arg}' of git ${command}. ${all.length === 0 ? 'It has no options here.' : `There are: ${all.map(dashed).join(' ')}`}`,
      129,
    );
  };
  const setValue = (name: string, value: string): void => {
    const before = values.get(name);
    values.set(name, before === undefined ? value : `${before}\n\n${value}`);
  };
  for (let arg = queue.shift(); arg !== undefined; arg = queue.shift()) {
    if (arg === '--') return { flags, values, rest, paths: queue };
    if (arg.startsWith('--')) {
      const [, name = '', given] = /^--([^=]+)(?:=(.*))?$/su.exec(arg) ?? [];
      const option = names.get(name) ?? unknown(arg);
      if (option.takesValue) setValue(option.name, given ?? queue.shift() ?? unknown(arg));
      else flags.add(option.name);
    } else if (/^-\d+$/u.test(arg) && names.has('n')) setValue(names.get('n')?.name ?? 'n', arg.slice(1));
    else if (arg.startsWith('-') && arg !== '-') {
      const letters = arg.slice(1);
      for (let at = 0; at < letters.length; at++) {
        const option = names.get(letters[at] ?? '') ?? unknown(arg);
        if (!option.takesValue) {
          flags.add(option.name);
          continue;
        }
        const remaining = letters.slice(at + 1);
        setValue(option.name, remaining === '' ? (queue.shift() ?? unknown(arg)) : remaining);
        break;
      }
    } else rest.push(arg);
  }
  return { flags, values, rest, paths: null };
}

function dashed(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}
