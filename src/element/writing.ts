/** The command that a model is writing, as far as it can be read. */
export interface WrittenCommand {
  name: string;
  /** Its most telling argument, such as a path; empty until that is complete. */
  about: string;
  /** The text for a file so far; null before it begins, and for a command without one. */
  text: string | null;
}

/** Arguments that distinguish commands of one name, the most telling first. */
const TELLING_ARGUMENTS = [
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
const TEXT_ARGUMENTS = ['content', 'new_string', 'insert_content', 'to_replace_with', 'new_content'];

/**
 * Reads the last command of an unfinished reply, such as `live.reply` of a `ConversationView`: to show a file while a model writes it. Null
 * before the command has a name.
 */
export function commandBeingWritten(reply: string): WrittenCommand | null {
  const begin = reply.lastIndexOf('"command_name"');
  if (begin < 0) return null;
  const command = reply.slice(begin);
  const complete = (key: string): string => {
    const { text = '', isComplete = false } = stringIn(command, key) ?? {};
    return isComplete ? text : '';
  };
  const name = complete('command_name');
  if (name === '') return null;
  const about = TELLING_ARGUMENTS.map(complete).find((text) => text !== '') ?? '';
  const text = TEXT_ARGUMENTS.map((key) => stringIn(command, key)).find((found) => found !== null);
  return { name, about, text: text?.text ?? null };
}

/** The argument that distinguishes commands of one name; empty for those without one. */
export function tellingArgument(args: Readonly<Record<string, unknown>>): string {
  for (const key of TELLING_ARGUMENTS) {
    const value = args[key];
    if (typeof value === 'string' && value !== '') return value;
  }
  return '';
}

/** Reads a string argument of unfinished JSON, which may be unfinished itself; null before it begins. */
function stringIn(json: string, key: string): { text: string; isComplete: boolean } | null {
  // Stops before an escape sequence that is not complete.
  const found = new RegExp(`"${key}"\\s*:\\s*"((?:[^"\\\\]+|\\\\u[0-9a-fA-F]{4}|\\\\[^u])*)("?)`).exec(json);
  const [, written, end] = found ?? [];
  if (written === undefined) return null;
  try {
    // Models also write line breaks and tabs as they are, which JSON does not allow.
    const escaped = written.replace(/[\n\r\t]/g, (sign) => JSON.stringify(sign).slice(1, -1));
    return { text: String(JSON.parse(`"${escaped}"`)), isComplete: end === '"' };
  } catch {
    return null; // Another character or sequence that JSON does not allow.
  }
}
