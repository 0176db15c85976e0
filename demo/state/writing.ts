/** Commands that write a whole file. */
const WRITES_FILE = new Set(['Editor.write', 'Editor.create_file']);

/** Returns the file that a model is writing in an unfinished reply, as far as it can be read; null for other commands. */
export function fileBeingWritten(reply: string): { path: string; content: string } | null {
  const begin = reply.lastIndexOf('"command_name"');
  if (begin < 0) return null;
  const command = reply.slice(begin);
  const path = stringIn(command, 'path');
  const content = stringIn(command, 'content');
  if (!WRITES_FILE.has(stringIn(command, 'command_name')?.text ?? '')) return null;
  if (path === null || !path.isComplete || path.text === '' || content === null) return null;
  return { path: path.text.startsWith('/') ? path.text : `/${path.text}`, content: content.text };
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
