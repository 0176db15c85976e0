import * as s from '../../core/schema.js';
import { resolvePath } from '../../files/path.js';
import type { EditorState } from './editor-state.js';

/** Aliases that models use for a file argument. All commands name it `path`; aliases are mapped silently. */
export const FILE_ALIASES = { file_path: 'path', filename: 'path', file_name: 'path' };
export const DIRECTORY_ALIASES = { dir_path: 'path', directory: 'path' };

export const filePath = s.string({
  description: 'Path of the file, absolute or relative to the working directory.',
});
export const directoryPath = s.withDefault(
  s.string({ description: 'Directory to search. Default: the working directory.' }),
  './',
);

/** Schema of a line number of an edit. Accepts numeric strings, which models often send. */
export function lineNumber(description: string) {
  return s.converted<number>(s.integer({ description }), toNumber);
}

/** Number of lines to show. Null or omitted means the default. Accepts numeric strings. */
export const contextLines = s.converted<number | undefined>(
  unlessNull(s.integer({ description: 'How many lines to show, at most 2000. Default: 200.' })),
  toNumber,
);

export function optionalPath(description: string) {
  return unlessNull(s.string({ description }));
}

export const optionalFilePath = optionalPath('Path of the file. Default: the open file.');

/** Line number that is validated against the file, so that the error can list its lines. The model sees an integer. */
export const lineToShow = s.anything({ type: 'integer', minimum: 1, description: 'The line to show.' });

/** Resolves a command's path against the editor's working directory. */
export function locate(path: string, state: EditorState): string {
  return resolvePath(path, state.workingDirectory);
}

/** Treats null as omitted, without complicating the JSON Schema. */
function unlessNull<Value>(schema: s.Schema<Value>): s.Schema<Value | undefined> {
  return s.converted(s.optional(schema), (value) => value ?? undefined);
}

function toNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\s*-?\d+\s*$/u.test(value) ? Number(value) : value;
}
