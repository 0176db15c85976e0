import { isRecord } from '../../core/json.js';

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
