import { RoleZeroError } from '../../core/error.js';
import type { FileInfo, Files, ToolFiles } from '../../core/files.js';
import type { Linter, Problem } from '../../core/linter.js';
import * as s from '../../core/schema.js';
import {
  decodeText,
  describeCharacter,
  missingCharacter,
  withMarkOf,
  type DecodedText,
  type TextEncoding,
} from '../../core/text-encoding.js';
import { builtInTool, type Tool, type ToolContext } from '../../core/tool.js';
import { baseName } from '../../files/path.js';
import { checkReplacement } from '../check-replacement.js';
import { FILE_ALIASES, filePath, lineNumber, locate } from './arguments.js';
import {
  readCopiedLines,
  withoutCopiedNumbers,
  withoutCountingOn,
  WITHOUT_NUMBERS,
} from './copied-numbers.js';
import { appendLines, insertLines, replaceLines, type Edited } from './edit-text.js';
import { loadState, saveState, type EditorState } from './editor-state.js';
import { clipEnd, renderChange, renderWindow, windowAround } from './line-window.js';
import { lintEdit, problemsOf } from './lint-gate.js';
import { oversights } from './oversights.js';
import { AlreadyReplaced, replaceText } from './replace-text.js';
import { linesInWords, TextLines } from './text-lines.js';
import { recordEdit } from './undoing.js';
import { encodingNote, readTextFile, textIn, writeText } from './workspace-text.js';

/** Maximum number of files, and bytes of each, that a new file with numbered lines is compared with. */
const MAX_COMPARED_FILES = 200;
const MAX_COMPARED_CHARACTERS = 100_000;

const MAX_LISTED_PROBLEMS = 10;
const MAX_MESSAGE = 300;
/** Number of lines that a window shows in addition to the added lines. */
const WINDOW_AROUND = 20;
const INDENT = 4;
/** Files in which indentation has a meaning. In others, advice about it leads a small model away from the error. */
const INDENTED = /\.(?:coffee|nim|pug|pyi?|sass|ya?ml)$/iu;
const SEPARATOR = '-'.repeat(49);

const WITH_ERRORS = 'It has syntax errors. Correct them, unless they are meant:';
const UNCHANGED = 'Nothing changed, the file already has exactly this content';

/** Settings for edits. */
interface EditRules {
  start: Partial<EditorState>;
  /** Linters to consult before an edit, in order. If empty, every edit is applied. */
  linters: readonly Linter[];
}

/**
 * Creates the commands that change a file: `write`, `create_file`, `edit_file_by_replace`, `insert_content_at_line`, `append_file`,
 * `replace_text`. An edited file becomes the open file.
 */
export function editingTools(rules: EditRules): Tool[] {
  return [overwriteFile, createFile, replaceRange, insertBefore, appendTo, replaceUnique].map((make) =>
    make(rules),
  );
}

function overwriteFile({ start, linters }: EditRules): Tool {
  return builtInTool({
    name: 'Editor.write',
    hints: {
      small: { description: 'Write a whole file. It replaces what the file had.', place: 2 },
      file: 'write',
    },
    activity: { verb: 'Writing', argument: 'path' },
    description:
      'Write a whole file. Its old content is replaced, missing directories are made. ' +
      'To change parts of a file use Editor.edit_file_by_replace.',
    input: s.args({
      path: filePath,
      content: s.string({ description: 'The whole content of the file.' }),
    }),
    aliases: FILE_ALIASES,
    staged: true,
    async run({ path, content }, { files, state }) {
      const file = locate(path, loadState(state, start));
      const old = await textBefore(files, file);
      const before = old?.text ?? null;
      const plain = withoutCopiedNumbers(
        content,
        before === null ? await textsOfOthers(files, content) : [before],
      );
      const { text: whole, note } =
        plain === content
          ? await withRealNewlines(linters, file, content)
          : { text: plain, note: WITHOUT_NUMBERS };
      const text = withMarkOf(before ?? '', whole);
      const size = linesInWords(text);
      if (before !== null && plain !== content) checkPart(file, content, before);
      if (before === text) return `${UNCHANGED}: ${file}, ${size}.${note}`;
      await checkReplacement(files, file);
      const written = await writeWhole(files, file, text, old?.encoding ?? 'UTF-8');
      recordEdit(state, file, written.isConverted ? undefined : old && old.text, text);
      const problems = listProblems(file, (await problemsOf(linters, file, text)) ?? []);
      const errors = problems.length === 0 ? '' : `\n${[WITH_ERRORS, ...problems].join('\n')}`;
      const what = `${before === null ? 'successfully created' : 'replaced'}: ${file}, ${size}`;
      const notes = [written.note, note, ...oversights(file, before ?? '', text), errors];
      return `The file ${baseName(file)} has been ${what}.${notes.join('')}`;
    },
  });
}

/**
 * Checks that lines which were copied with their numbers begin with the first one of the file that they would replace.
 *
 * @throws RoleZeroError `conflict`: a small model wrote the line that it had changed before, and all others were lost.
 */
function checkPart(file: string, content: string, before: string): void {
  const first = readCopiedLines(content)?.first ?? 1;
  if (first === 1) return;
  throw new RoleZeroError(
    'conflict',
    `Nothing was written. Your content begins with line ${first} of ${file}, and the rest of its ${linesInWords(before)} would be lost. Change a part with Editor.replace_text, or give the whole content, without line numbers.`,
    { path: file },
  );
}

/**
 * Returns the texts of other files whose numbered lines a model may have copied into a new one. These do not count as read, because nothing
 * of them is passed on.
 */
async function textsOfOthers(files: ToolFiles, content: string): Promise<readonly string[]> {
  return readCopiedLines(content) === null ? [] : Array.from(await smallTexts(files), ([, text]) => text);
}

/** Returns the texts of small files, by path. They do not count as read. */
async function smallTexts(files: ToolFiles): Promise<ReadonlyMap<string, string>> {
  const small = (all: readonly FileInfo[]) => {
    const compared = all.filter(({ size }) => size <= MAX_COMPARED_CHARACTERS).slice(0, MAX_COMPARED_FILES);
    const paths = new Set(compared.map(({ path }) => path));
    return (path: string) => paths.has(path);
  };
  const all = (await files.snapshot?.(small)) ?? [];
  return new Map(
    all.flatMap(({ path, content }) => {
      const text = content && decodeText(content)?.text;
      return text == null ? [] : [[path, text] as const];
    }),
  );
}

function createFile({ start, linters }: EditRules): Tool {
  return builtInTool({
    name: 'Editor.create_file',
    activity: { verb: 'Creating', argument: 'path' },
    description: 'Create a new file and open it. Missing directories are made.',
    input: s.args({
      path: filePath,
      content: s.withDefault(
        s.string({ description: 'What the file starts with. Default: one empty line.' }),
        '',
      ),
    }),
    aliases: FILE_ALIASES,
    staged: true,
    async run({ path, content }, { files, state }) {
      const editor = loadState(state, start);
      const file = locate(path, editor);
      if (content !== '' && (await textBefore(files, file))?.text === content) {
        saveState(state, { ...editor, currentFile: file, currentLine: 1 });
        return `[${UNCHANGED}: ${file}]`;
      }
      if ((await files.stat(file)) !== null) {
        const advice = 'Use Editor.open_file to see it, Editor.write to replace it, or choose another name.';
        throw new RoleZeroError('invalid', `The file ${file} already exists. ${advice}`, { path: file });
      }
      const { text, note } = await withRealNewlines(linters, file, content || '\n');
      await files.write(file, text);
      recordEdit(state, file, null, text);
      saveState(state, { ...editor, currentFile: file, currentLine: 1 });
      return `[File ${file} created.]${note}`;
    },
  });
}

function replaceRange(rules: EditRules): Tool {
  return builtInTool({
    name: 'Editor.edit_file_by_replace',
    activity: { verb: 'Editing', argument: 'path' },
    description:
      'Replace lines of a file, from a first to a last one, both included. Give the number and the exact content of each of the two, ' +
      'with indentation; if they do not match, nothing is changed. ' +
      'Line numbers change with every edit: look at the file before the next one.',
    input: s.args({
      path: filePath,
      first_replaced_line_number: lineNumber('Number of the first line to replace, counted from 1.'),
      first_replaced_line_content: s.string({ description: 'The exact content of that line.' }),
      last_replaced_line_number: lineNumber('Number of the last line to replace.'),
      last_replaced_line_content: s.string({ description: 'The exact content of that line.' }),
      new_content: s.string({ description: 'The new lines; an empty string removes the old ones.' }),
    }),
    aliases: FILE_ALIASES,
    staged: true,
    exclusive: true,
    run: (input, context) =>
      applyEdit(input.path, context, rules, (text) =>
        replaceLines(text, {
          firstNumber: input.first_replaced_line_number,
          firstContent: input.first_replaced_line_content,
          lastNumber: input.last_replaced_line_number,
          lastContent: input.last_replaced_line_content,
          newContent: withoutCopiedNumbers(input.new_content, [text]),
        }),
      ),
  });
}

function insertBefore(rules: EditRules): Tool {
  return builtInTool({
    name: 'Editor.insert_content_at_line',
    activity: { verb: 'Editing', argument: 'path' },
    description:
      'Insert lines into a file before a line. The number after that of the last line inserts at the end.',
    input: s.args({
      path: filePath,
      line_number: lineNumber('Number of the line before which to insert, counted from 1.'),
      insert_content: s.string({ description: 'The lines to insert.' }),
    }),
    aliases: { ...FILE_ALIASES, content: 'insert_content' },
    staged: true,
    exclusive: true,
    run: (input, context) =>
      applyEdit(input.path, context, rules, (text) =>
        insertLines(text, input.line_number, withoutCopiedNumbers(input.insert_content, [text])),
      ),
  });
}

function appendTo(rules: EditRules): Tool {
  return builtInTool({
    name: 'Editor.append_file',
    hints: { small: { description: 'Add text at the end of a file.', place: 4 }, file: 'append' },
    activity: { verb: 'Editing', argument: 'path' },
    description: 'Add lines at the end of an existing file.',
    input: s.args({ path: filePath, content: s.string({ description: 'The lines to add.' }) }),
    aliases: FILE_ALIASES,
    staged: true,
    exclusive: true,
    run: (input, context) =>
      applyEdit(input.path, context, rules, (text) =>
        appendLines(text, withoutCountingOn(withoutCopiedNumbers(input.content, [text]), text)),
      ),
  });
}

function replaceUnique(rules: EditRules): Tool {
  return builtInTool({
    name: 'Editor.replace_text',
    hints: {
      small: {
        description: 'Change a part of a file: `new` replaces `old`, a text that is in the file once.',
        place: 3,
        without: ['replace_all'], // it raised all prices of a menu in place of one
      },
      file: 'replace',
    },
    activity: { verb: 'Editing', argument: 'path' },
    description:
      'Replace a text that occurs exactly once in a file. Give whole lines, enough to be unique; ' +
      'an empty new text removes them.',
    input: s.args({
      path: filePath,
      old: s.string({ description: 'The text, exactly as in the file.' }),
      new: s.string({ description: 'The new text.' }),
      replace_all: s.withDefault(
        s.boolean({ description: 'Replaces each occurrence. Default: old must occur once.' }),
        false,
      ),
    }),
    aliases: {
      ...FILE_ALIASES,
      all: 'replace_all',
      old_text: 'old',
      old_str: 'old',
      old_string: 'old',
      new_text: 'new',
      new_str: 'new',
      new_string: 'new',
    },
    staged: true,
    run: async ({ path, old, new: by, replace_all: all }, context) => {
      const sought = { isThere: true };
      try {
        return await applyEdit(path, context, rules, (text) => {
          sought.isThere = old.trim() === '' || text.includes(old.trim());
          return replaceText(text, old, by, all);
        });
      } catch (error) {
        if (error instanceof AlreadyReplaced)
          return error.line === null
            ? leftElsewhere(await pathsWith(context.files, old.trim()))
            : `Nothing changed: old is only a part of longer words, such as in line ${error.line}, and new is there already. To replace that part, too, give the longer word in old and in new.`;
        if (sought.isThere || old === by || !(error instanceof RoleZeroError)) throw error;
        throw withPlaces(error, await pathsWith(context.files, old.trim()));
      }
    },
  });
}

/** Maximum number of other files that are named. */
const MAX_ELSEWHERE = 3;

/** Returns files that have a text. */
async function pathsWith(files: ToolFiles, text: string): Promise<string[]> {
  const having = Array.from(await smallTexts(files)).filter(([, other]) => other.includes(text));
  return having.slice(0, MAX_ELSEWHERE).map(([path]) => path);
}

/**
 * Returns the error of an edit with the files that have the text which the edited one lacks, as arguments to be copied: a model changed the page in
 * place of its script.
 */
function withPlaces(error: RoleZeroError, paths: readonly string[]): RoleZeroError {
  const [path, ...others] = paths;
  if (path === undefined) return error;
  const given = asArguments(paths);
  if (others.length > 0)
    return new RoleZeroError(error.code, `${error.message}\nThe text is in another file: ${given}`);
  return new RoleZeroError(
    error.code,
    `old was not found in the file. The edit was not applied.\nThe text is in another file, to which the same command goes when it is given again: ${given}`,
    { correction: { path } },
  );
}

/** Returns the result of an edit whose new text is there already, with the files that still have the old one. */
function leftElsewhere(paths: readonly string[]): string {
  const others = paths.length === 0 ? '' : ` The text is in another file: ${asArguments(paths)}`;
  return `Nothing changed: old is not in the file, and new is there already.${others}`;
}

function asArguments(paths: readonly string[]): string {
  return paths.map((path) => `"path": ${JSON.stringify(path)}`).join(' or ');
}

/** Returns the content of a file before it is replaced. Null if there is no file; undefined if it is not text. */
async function textBefore(files: Files, file: string): Promise<DecodedText | null | undefined> {
  const info = await files.stat(file);
  if (info === null) return null;
  if (info.type === 'directory') return undefined;
  return (await textIn(files, file)) ?? undefined;
}

/** Writes a whole file in the encoding that it has, or in UTF-8 if this encoding lacks a character of the text. */
async function writeWhole(
  files: Files,
  file: string,
  text: string,
  encoding: TextEncoding,
): Promise<{ note: string; isConverted: boolean }> {
  const character = missingCharacter(text, encoding);
  const target = character === null ? encoding : 'UTF-8';
  await writeText(files, file, { text, encoding: target });
  if (character !== null) {
    const note = ` It is stored as UTF-8 now: ${encoding}, which it had, has no ${describeCharacter(character)}.`;
    return { note, isConverted: true };
  }
  return { note: encoding === 'UTF-8' ? '' : ` It is still encoded as ${encoding}.`, isConverted: false };
}

/**
 * Converts `\n` escapes of a text in one line to line breaks: models that escape twice write such files. Code, regular expressions and paths contain
 * `\n` as well. So a text is only converted when it has syntax errors as it is, and none afterwards. Otherwise `note` informs the model.
 */
async function withRealNewlines(
  linters: readonly Linter[],
  path: string,
  content: string,
): Promise<{ text: string; note: string }> {
  if (content.includes('\n') || !content.includes('\\n')) return { text: content, note: '' };
  const problems = await problemsOf(linters, path, content);
  if (problems?.length === 0) return { text: content, note: '' };
  const converted = content.replaceAll('\\n', '\n');
  if (problems !== null && (await problemsOf(linters, path, converted))?.length === 0)
    return { text: converted, note: '' };
  const note =
    ' It is one line in which \\n is two characters. If you meant line breaks, write it again with real ones.';
  return { text: content, note };
}

/**
 * Edits a file, opens it at the edited line, and returns the changed lines with those around them.
 *
 * @throws RoleZeroError `invalid` with a report if the edit introduces syntax errors; it is not applied then.
 */
async function applyEdit(
  path: string,
  { files, state }: ToolContext,
  { start, linters }: EditRules,
  change: (text: string) => Edited,
): Promise<string> {
  const editor = loadState(state, start);
  const file = locate(path, editor);
  const { text: before, encoding } = await readTextFile(files, file);
  const edited = change(before);
  const { problems, unchecked } = await lintEdit(linters, file, before, edited);
  if (problems.length > 0)
    throw new RoleZeroError('invalid', rejection(file, before, edited, problems), { path: file });
  await writeText(files, file, { text: edited.text, encoding });
  recordEdit(state, file, before, edited.text);
  const lines = new TextLines(edited.text);
  const currentLine = Math.min(Math.max(edited.line, 1), lines.count);
  saveState(state, { ...editor, currentFile: file, currentLine });
  return [
    `[File: ${file} (${lines.count} lines total after edit${encodingNote(encoding)})]`,
    renderChange(lines, edited.added.first, edited.added.last),
    `[File updated (edited at line ${edited.line})].`,
    ...(edited.note === undefined ? [] : [`(${edited.note})`]),
    ...(unchecked === null ? [] : [`(Its syntax could not be checked: ${unchecked})`]),
  ].join('\n');
}

/** Report to the model on a rejected edit: the problems, the file with and without the edit, and advice. */
function rejection(path: string, before: string, edited: Edited, problems: readonly Problem[]): string {
  const old = new TextLines(before);
  const lines = new TextLines(edited.text);
  const center = Math.floor((edited.line + edited.lastLine) / 2);
  const size = Math.max(0, edited.added.last - edited.added.first + 1) + WINDOW_AROUND;
  const window = (of: TextLines): string => renderWindow(of, windowAround(center, size, of.count));
  return [
    '[Your edit introduced new syntax errors. Read what they say, correct your edit and try again.]',
    'ERRORS:',
    ...listProblems(path, problems),
    '[What the file would have looked like with your edit]',
    SEPARATOR,
    window(lines),
    SEPARATOR,
    '[The original file, without your edit]',
    SEPARATOR,
    window(old),
    SEPARATOR,
    'Your changes were not applied; the file is as it was.',
    ...(INDENTED.test(path) ? indentationAdvice(lines, problems[0]?.line ?? edited.line) : []),
    'Correct the line numbers or the code of your edit. Do not repeat the same command: it would lead to the same errors.',
  ].join('\n');
}

/** Returns problems as lines for the model: the first ones, and the number of the others. */
function listProblems(path: string, problems: readonly Problem[]): string[] {
  const shown = problems.slice(0, MAX_LISTED_PROBLEMS).map(({ line, column, message }) => {
    const place = column === undefined ? `${path}:${line}` : `${path}:${line}:${column}`;
    return `${place}: ${clipEnd(message, MAX_MESSAGE)}`;
  });
  const more = problems.length - shown.length;
  return more === 0 ? shown : [...shown, `… ${more} more`];
}

/** Describes the indentation of the error line and the line before it. Indentation is the most common error of small models. */
function indentationAdvice(lines: TextLines, problemLine: number): string[] {
  const number = Math.min(Math.max(problemLine, 1), lines.count);
  const error = lines.line(number);
  const indent = indentLength(error);
  const previous = number > 1 ? lines.line(number - 1) : '';
  return [
    `The previous line is "${clipEnd(previous, MAX_MESSAGE)}", its indentation is ${spaces(indentLength(previous))}.`,
    `The error line is "${clipEnd(error, MAX_MESSAGE)}", its indentation is ${spaces(indent)}.`,
    `If the indentation is what is wrong, try ${Math.max(0, indent - INDENT)} or ${indent + INDENT} spaces.`,
  ];
}

function indentLength(line: string): number {
  return line.length - line.trimStart().length;
}

function spaces(count: number): string {
  return `${count} space${count === 1 ? '' : 's'}`;
}
