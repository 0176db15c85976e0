/** The command that a model is writing, as far as it can be read. */
export interface Writing {
  name: string;
  /** Its most telling argument, such as a path; empty until that is complete. */
  about: string;
  /** Lines of text written so far; 0 for commands without a text. */
  lines: number;
}

/** Arguments that distinguish commands of one name, the most telling first. */
const TELLING = [
  'path',
  'file_path',
  'file_name',
  'cmd',
  'url',
  'key_comb',
  'instruction',
  'question',
  'query',
];
/** Arguments with the text of a file. */
const TEXT = /"(?:content|new_string|insert_content|to_replace_with|new_content)"\s*:\s*"((?:[^"\\]|\\.)*)/g;

/** Reads the last command of an unfinished reply; null when it has no name yet. */
export function writingOf(reply: string): Writing | null {
  const begin = reply.lastIndexOf('"command_name"');
  if (begin < 0) return null;
  const command = reply.slice(begin);
  const name = /^"command_name"\s*:\s*"([^"\\]+)"/.exec(command)?.[1];
  if (name === undefined) return null;
  const about = TELLING.map((key) => stringOf(command, key)).find((value) => value !== '') ?? '';
  const text = [...command.matchAll(TEXT)].at(-1)?.[1];
  return { name, about, lines: text === undefined ? 0 : text.split('\\n').length };
}

/** The argument that distinguishes commands of one name; empty for those without one. */
export function tellingArgument(args: Readonly<Record<string, unknown>>): string {
  for (const key of TELLING) {
    const value = args[key];
    if (typeof value === 'string' && value !== '') return value;
  }
  return '';
}

/** A complete string argument of unfinished JSON; otherwise empty. */
function stringOf(json: string, key: string): string {
  const found = new RegExp(`"${key}"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*")`).exec(json)?.[1];
  if (found === undefined) return '';
  try {
    return String(JSON.parse(found));
  } catch {
    return ''; // A string that JSON does not allow.
  }
}
