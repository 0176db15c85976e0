import type { ErrorPlace } from '../protocol.js';
import { parseUrl, WORKSPACE, workspacePath } from './addresses.js';

/** Where the text of an inline script begins, in the document that a frame shows and in the file that it was made of. Counted from 1. */
export interface InlineScript {
  line: number;
  column: number;
  /** Number of its lines. */
  lines: number;
  inFile: { line: number; column: number };
}

/** The document that a tab shows. */
export interface ShownDocument {
  url: URL;
  /** In the order of the document. */
  inlineScripts: readonly InlineScript[];
}

/** Returns the file in which an error occurred, with line and column where they are known: `/app.js:3:5`. */
export function errorPlace(at: ErrorPlace, shown: ShownDocument | null): string {
  if (!at.isInline || shown === null) return named(fileOf(at.file), at.line, at.column);
  const file = fileOf(shown.url.href);
  const script = shown.inlineScripts.findLast(
    ({ line, column }) => line < at.line || (line === at.line && column <= at.column),
  );
  if (script === undefined || at.line >= script.line + script.lines) return named(file, 0, 0);
  const isFirstLine = at.line === script.line;
  return named(
    file,
    at.line - script.line + script.inFile.line,
    isFirstLine ? at.column - script.column + script.inFile.column : at.column,
  );
}

function named(file: string, line: number, column: number): string {
  return line === 0 ? file : `${file}:${line}:${column}`;
}

/** Returns the path of a session file, and any other address as it is. */
export function fileOf(address: string): string {
  const url = parseUrl(address.replace(/^file:\/\/(?=\/)/, WORKSPACE));
  return (url && workspacePath(url)) ?? address;
}

/** Returns the line and the column of a position in a text, counted from 1. */
export function placeInText(text: string, position: number): { line: number; column: number } {
  const before = text.slice(0, position);
  return { line: before.split('\n').length, column: position - before.lastIndexOf('\n') };
}
