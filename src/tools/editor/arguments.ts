import * as z from 'zod/mini';
import { resolvePath } from '../../files/path.js';
import type { EditorState } from './editor-state.js';

/** Aliases that models use for a file argument. All commands name it `path`; aliases are mapped silently. */
export const FILE_ALIASES = { file_path: 'path', filename: 'path', file_name: 'path' };
export const DIRECTORY_ALIASES = { dir_path: 'path', directory: 'path' };

export const filePath = z
  .string()
  .check(z.describe('Path of the file, absolute or relative to the working directory.'));
export const directoryPath = z
  ._default(z.string(), './')
  .check(z.describe('Directory to search. Default: the working directory.'));

/** Schema of a line number of an edit. Accepts numeric strings, which models often send. */
export function lineNumber(description: string) {
  return z.pipe(z.transform(toNumber), z.int()).check(z.describe(description));
}

/** Number of lines to show. Null or omitted means the default. Accepts numeric strings. */
export const contextLines = z
  .optional(z.pipe(z.transform(toNumber), unlessNull(z.int())))
  .check(z.describe('How many lines to show, at most 2000. Default: 200.'));

export function optionalPath(description: string) {
  return unlessNull(z.string()).check(z.describe(description));
}

export const optionalFilePath = optionalPath('Path of the file. Default: the open file.');

/** Line number that is validated against the file, so that the error can list its lines. The model sees an integer. */
export const lineToShow = z
  .unknown()
  .check(z.meta({ type: 'integer', minimum: 1, description: 'The line to show.' }));

/** Resolves a command's path against the editor's working directory. */
export function locate(path: string, state: EditorState): string {
  return resolvePath(path, state.workingDirectory);
}

/** Treats null as omitted, without complicating the JSON Schema. */
function unlessNull<Value>(schema: z.ZodMiniType<Value>) {
  const given = z.transform((value: unknown): unknown => value ?? undefined);
  return z.optional(z.pipe(given, z.optional(schema)));
}

function toNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\s*-?\d+\s*$/u.test(value) ? Number(value) : value;
}
