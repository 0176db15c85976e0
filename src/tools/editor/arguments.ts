import * as z from 'zod';
import { resolvePath } from '../../files/path.js';
import type { EditorState } from './editor-state.js';

/** What models call the file they mean: every command says `path`, the other names are mapped silently. */
export const FILE_ALIASES = { file_path: 'path', filename: 'path', file_name: 'path' };
export const DIRECTORY_ALIASES = { dir_path: 'path', directory: 'path' };

export const filePath = z
  .string()
  .describe('Path of the file, absolute or relative to the working directory.');
export const directoryPath = z
  .string()
  .default('./')
  .describe('Path of the directory to search, with everything below it. Default: the working directory.');

/** A line number of an edit. Models often write numbers as strings, and what they mean is plain. */
export function lineNumber(description: string) {
  return z.preprocess(toNumber, z.int()).describe(description);
}

/** A number of lines; the usual one when it is null or left out. Numbers in strings are taken, too. */
export const contextLines = z
  .preprocess((value) => toNumber(value) ?? undefined, z.int().optional())
  .describe('How many lines to show, at most 2000. Default: 200.');

/** Null means left out, which keeps the schema a plain string. */
export const optionalFilePath = z
  .preprocess((value) => value ?? undefined, z.string().optional())
  .describe('Path of the file. Default: the open file.');

/** A line number that is judged against the file, so that the error can name its lines; to the model it is an integer. */
export const lineToShow = z.unknown().meta({ type: 'integer', minimum: 1, description: 'The line to show.' });

/** Where a command's path leads, seen from the editor's working directory. */
export function locate(path: string, state: EditorState): string {
  return resolvePath(path, state.workingDirectory);
}

function toNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\s*-?\d+\s*$/u.test(value) ? Number(value) : value;
}
