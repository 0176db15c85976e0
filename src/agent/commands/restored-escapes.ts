import type { Command } from '../../core/human.js';
import type { JsonValue } from '../../core/json.js';

/** Files in which a form feed or a backspace before a letter is a backslash that was not escaped in JSON. */
const TEXT =
  /\.(?:tex|md|mdx|markdown|rst|txt|html?|ipynb|[cm]?[jt]sx?|vue|svelte|py|rb|r|go|rs|java|kt|c|h|cpp|cs|php|sh|bash|ps1|bat|css|scss|json|ya?ml|toml|ini|sql|csv|xml)$/i;
/** Files of which LaTeX is the language, or part of it. */
const LATEX = /\.(?:tex|sty|cls|bib|md|mdx|markdown|rst|qmd|rmd|ipynb|txt|html?)$/i;
/** What follows the letter that JSON took with the backslash, in names of LaTeX that are no words. */
// cspell:disable
const LATEX_NAMES =
  /\t(?=ext(?:bf|it|tt|rm|sf|sc)?\{|heta\b|imes\b|ilde\{|frac\{|extcolor\{|riangle|itle\{)|\n(?=abla\b|eq\b|ewcommand\b|ewline\b|oindent\b|otin\b|u_|ode\{)|\r(?=ight[)\]}|.\\]|angle\b|ho\b|ef\{)/g;
// cspell:enable
// cspell:ignore nabla
const BEFORE_LETTER = /[\f\b](?=\p{L})|[\b](?=[^\p{L}\s]|$)/gu;
const LETTERS: Record<string, string> = { '\t': 't', '\n': 'n', '\r': 'r', '\f': 'f', '\b': 'b' };
/** A path of Windows, or a control character that no text contains. */
const SUSPECT = /\b[A-Za-z]:[\t\n\r\f\b](?=[a-z])|[\f\b](?=\p{L})/u;
const PATH_NAMES = new Set(['path', 'file_name', 'paths', 'dir_path']);

/** Commands with the backslashes that were lost in valid JSON, and what the model must know about others. */
export interface RestoredEscapes {
  commands: Command[];
  notes: string[];
}

/**
 * Restores backslashes that the model did not escape (`\frac`, `\nabla`, `C:\new`), where the language of the file, or a path, leaves no
 * doubt. Any other control character that looks like one is noted. The same commands are returned when nothing changes.
 */
export function restoreEscapes(commands: readonly Command[]): RestoredEscapes {
  const notes: string[] = [];
  const restored = commands.map((command): Command => {
    const { path } = command.args;
    const file = typeof path === 'string' ? path : '';
    const entries = Object.entries(command.args).map(([name, value]): [string, JsonValue] => {
      if (typeof value !== 'string' || !/[\t\n\r\f\b]/.test(value)) return [name, value];
      const text = PATH_NAMES.has(name)
        ? value.replace(/[\t\n\r\f\b](?=\w)/g, backslash)
        : inLanguage(file, value);
      const where = `"${name}" of ${command.name}`;
      if (text !== value)
        notes.push(
          `In ${where}, backslashes were read as written, although JSON reads \\f, \\n or \\t otherwise. Write \\\\ for a backslash.`,
        );
      else if (SUSPECT.test(value))
        notes.push(
          `In ${where}, JSON read a backslash and a letter as a control character, as in ${JSON.stringify(around(value))}. If you meant a backslash, write \\\\ and send it again.`,
        );
      return [name, text];
    });
    const isSame = entries.every(([name, value]) => command.args[name] === value);
    return isSame ? command : { name: command.name, args: Object.fromEntries(entries) };
  });
  return { commands: restored, notes };
}

function backslash(character: string): string {
  return `\\${LETTERS[character] ?? ''}`;
}

function inLanguage(file: string, text: string): string {
  const restored = TEXT.test(file) ? text.replace(BEFORE_LETTER, backslash) : text;
  return LATEX.test(file) ? restored.replace(LATEX_NAMES, backslash) : restored;
}

function around(text: string): string {
  const at = text.search(SUSPECT);
  return text.slice(Math.max(0, at - 4), at + 12);
}
