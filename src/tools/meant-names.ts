import { isRecord, type JsonSchema, type JsonValue } from '../core/json.js';

/** Returns a name without what models vary: its case, its separators, and the prefix of an interface. */
export function plainName(name: string): string {
  const own = name.replace(/^(?:functions|default_api|tools|commands)[.:/]+(?=.)/i, '');
  return own.length > 80 ? own : own.toLowerCase().replace(/[^\p{L}\d]/gu, '');
}

// cspell:disable: names without their separators
/** Names of other agents for commands: the command, and the plain names that mean it. */
const OTHER_NAMES: readonly (readonly [command: string, names: RegExp])[] = [
  ['Editor.write', /^(?:editor)?(?:write|save|create|make|new)(?:to)?(?:a)?(?:new)?(?:file)?(?:contents?)?$/],
  ['Editor.read', /^(?:editor)?(?:read|open|view|cat|show|get|load)(?:a)?(?:file|lines)?(?:contents?)?$/],
  ['Editor.replace_text', /^(?:editor)?(?:str)?(?:edit|replace|update|modify|patch)(?:text|string|str|infile|file)?(?:editor)?$/],
  ['Editor.search_dir', /^(?:editor)?(?:grep|search|searchfiles|find|searchcode|codebasesearch)$/],
  ['Editor.find_file', /^(?:editor)?(?:glob|findfiles?|listfiles|listdir(?:ectory)?|ls)$/],
  ['Terminal.run_command', /^(?:terminal|shell)?(?:bash|shell|sh|terminal|cmd|exec(?:ute)?|run)(?:shell|bash|terminal)?(?:command|cmd|code)?$/],
  ['RoleZero.ask_human', /^(?:rolezero)?ask(?:user|human|question|followupquestion)?$/],
  ['RoleZero.reply_to_human', /^(?:rolezero)?(?:reply|respond|answer|say|message|notify)(?:to)?(?:user|human)?$/],
  ['Browser.goto', /^(?:browser)?(?:goto|open|navigate|visit|browse|fetch)(?:to)?(?:url|page)?$/],
  ['end', /^(?:end|finish|done|stop|complete|exit|terminate|attemptcompletion|endtask|taskdone)$/],
]; // prettier-ignore

/** Returns the command that another agent calls by a name; undefined for none. It is a guess, for advice only. */
export function commandMeantBy(name: string, known: readonly string[]): string | undefined {
  const plain = plainName(name);
  return OTHER_NAMES.find(([command, names]) => known.includes(command) && names.test(plain))?.[0];
}

/** Names that models use for an argument, in plain form. */
const ARGUMENT_NAMES: Record<string, readonly string[]> = {
  path: ['filepath', 'file', 'filename', 'targetfile', 'absolutepath'],
  content: ['contents', 'text', 'body', 'filecontent', 'filecontents', 'filetext', 'data', 'message'],
  cmd: ['command', 'commandline', 'shellcommand', 'bash', 'script'],
  url: ['link', 'href', 'uri', 'address'],
  search_term: ['query', 'pattern', 'term', 'searchquery'],
  question: ['text', 'message', 'query', 'content'],
  old: ['oldtext', 'oldstr', 'oldstring', 'search'],
  new: ['newtext', 'newstr', 'newstring', 'replace', 'replacement'],
};

type JsonArguments = Record<string, JsonValue>;

/** Renames arguments that a tool does not have to the absent one that is meant: by another spelling, or by a common alias. */
export function withMeantNames(args: JsonArguments, known: Record<string, unknown>): JsonArguments {
  const absent = Object.keys(known).filter((name) => !Object.hasOwn(args, name));
  const renamed = Object.entries(args).map(([name, value]): [string, JsonValue] => {
    if (Object.hasOwn(known, name)) return [name, value];
    const plain = plainName(name);
    const at = absent.findIndex(
      (each) => plainName(each) === plain || ARGUMENT_NAMES[each]?.includes(plain) === true,
    );
    return at < 0 ? [name, value] : [absent.splice(at, 1)[0] ?? name, value];
  });
  return Object.fromEntries(renamed);
}

/** Arguments whose absence changes nothing, with the values for which this is certain. */
const WITHOUT_EFFECT: readonly (readonly [names: RegExp, value: (value: JsonValue) => boolean])[] = [
  [/^(?:description|reason|reasoning|explanation|thought|comment|note|language|lang|title|summary|id|toolcallid)$/, () => true],
  [/^(?:encoding|charset|fileencoding)$/, (value) => /^"utf-?8"$/i.test(JSON.stringify(value))],
  [/^(?:overwrite|create|createdirs|createdirectories|createparents|mkdirs?|parents|force)$/, (value) => value === true],
  [/^mode$/, (value) => /^"(?:w|write|overwrite)"$/i.test(JSON.stringify(value))],
  [/^(?:append|dryrun|backup|recursive|verbose|background|preview|readonly)$/, (value) => value === false || value === null],
]; // prettier-ignore

// cspell:enable
/** Splits off arguments that a tool does not have and that change nothing: any of a tool that only reads, else those of the table. */
export function withoutNeedless(
  args: JsonArguments,
  known: Record<string, unknown>,
  isRead: boolean,
): { args: JsonArguments; dropped: string[] } {
  const isNeedless = ([name, value]: [string, JsonValue]): boolean =>
    !Object.hasOwn(known, name) &&
    (isRead || WITHOUT_EFFECT.some(([names, hasNone]) => names.test(plainName(name)) && hasNone(value)));
  const dropped = Object.entries(args).filter(isNeedless);
  if (dropped.length === 0) return { args, dropped: [] };
  const rest = Object.entries(args).filter((entry) => !isNeedless(entry));
  return { args: Object.fromEntries(rest), dropped: dropped.map(([name]) => name) };
}

/** Converts values whose meaning for a text is certain: a number, lines of a content, and `["bash", "-c", "ls"]`. */
export function withTextValues(args: JsonArguments, { properties: known }: JsonSchema): JsonArguments {
  const entries = Object.entries(args).map(([name, value]): [string, JsonValue] => {
    const schema = isRecord(known) ? known[name] : undefined;
    return [name, isRecord(schema) && schema['type'] === 'string' ? asTextArgument(name, value) : value];
  });
  return Object.fromEntries(entries);
}

function asTextArgument(name: string, value: JsonValue): JsonValue {
  if (typeof value === 'number') return String(value);
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) return value;
  if (name === 'content') return value.join('\n');
  const [shell = '', option = '', script, ...others] = value;
  const isShell = /^(?:\/bin\/)?(?:ba)?sh$/.test(shell) && /^-l?c$/.test(option);
  return name === 'cmd' && isShell && script !== undefined && others.length === 0 ? script : value;
}
