import * as z from 'zod/mini';
import { resolvePath } from '../../files/path.js';
import type { EditorState } from './editor-state.js';

/** What models call the file they mean: every command says `path`, the other names are mapped silently. */
export const FILE_ALIASES = { file_path: 'path', filename: 'path', file_name: 'path' };
export const DIRECTORY_ALIASES = { dir_path: 'path', directory: 'path' };

export const filePath = z
  .string()
  .check(z.describe('Path of the file, absolute or relative to the working directory.'));
export const directoryPath = z
  ._default(z.string(), './')
  .check(
    z.describe('Path of the directory to search, with everything below it. Default: the working directory.'),
  );

/** A line number of an edit. Models often write numbers as strings, and what they mean is plain. */
export function lineNumber(description: string) {
  return z.pipe(z.transform(toNumber), z.int()).check(z.describe(description));
}

/** A number of lines; the usual one when it is null or left out. Numbers in strings are taken, too. */
export const contextLines = z
  .optional(z.pipe(z.transform(toNumber), unlessNull(z.int())))
  .check(z.describe('How many lines to show, at most 2000. Default: 200.'));

export function optionalPath(description: string) {
  return unlessNull(z.string()).check(z.describe(description));
}

export const optionalFilePath = optionalPath('Path of the file. Default: the open file.');

/** A line number that is judged against the file, so that the error can name its lines; to the model it is an integer. */
export const lineToShow = z
  .unknown()
  .check(z.meta({ type: 'integer', minimum: 1, description: 'The line to show.' }));

/** Where a command's path leads, seen from the editor's working directory. */
export function locate(path: string, state: EditorState): string {
  return resolvePath(path, state.workingDirectory);
}

/** Null means left out, which keeps the schema a plain one. */
function unlessNull<Value>(schema: z.ZodMiniType<Value>) {
  const given = z.transform((value: unknown): unknown => value ?? undefined);
  return z.optional(z.pipe(given, z.optional(schema)));
}

function toNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\s*-?\d+\s*$/u.test(value) ? Number(value) : value;
}
