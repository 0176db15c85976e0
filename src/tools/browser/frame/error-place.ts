import { newId } from '../../../core/new-id.js';
import type { ErrorPlace } from '../protocol.js';
import { parseUrl, WORKSPACE_ORIGIN, workspacePath } from './addresses.js';

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
export function locateError(at: ErrorPlace, shown: ShownDocument | null): string {
  if (!at.isInline || shown === null) return named(fileOfAddress(at.file), at.line, at.column);
  const file = fileOfAddress(shown.url.href);
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
export function fileOfAddress(address: string): string {
  const url = parseUrl(address.replace(/^file:\/\/(?=\/)/, WORKSPACE_ORIGIN));
  return (url && workspacePath(url)) ?? address;
}

/** Returns the line and the column of a position in a text, counted from 1. */
function placeInText(text: string, position: number): { line: number; column: number } {
  const before = text.slice(0, position);
  return { line: before.split('\n').length, column: position - before.lastIndexOf('\n') };
}

/**
 * Finds out where the inline scripts of a page are, in its file and in the document that is made of it: browsers report errors by the line
 * of that document. Each script begins with a comment until the document is complete.
 */
export class InlineMarks {
  readonly #mark = `/*${newId()}*/`;
  readonly #source: string;
  readonly #places: (Pick<InlineScript, 'lines' | 'inFile'> | null)[] = [];
  #position = 0;

  /** @param html the text of the file */
  constructor(html: string) {
    this.#source = html.replace(/\r\n?/gu, '\n'); // as a browser reads it
  }

  /** Marks the next script of the page. `text`: its text in the file. */
  mark(text: string, code: string): string {
    const at = this.#source.indexOf(text, this.#position);
    if (at >= 0) this.#position = at + text.length;
    const place = { lines: text.split('\n').length, inFile: placeInText(this.#source, at) };
    this.#places.push(at < 0 ? null : place);
    return this.#mark + code;
  }

  /** Removes the marks from the document. Returns it with the places of the scripts that were found in the file. */
  resolve(marked: string): { html: string; inlineScripts: InlineScript[] } {
    const [first = '', ...parts] = marked.split(this.#mark);
    let html = first;
    const inlineScripts = parts.flatMap((part, index): InlineScript[] => {
      const position = html.length;
      html += part;
      const place = this.#places[index] ?? null;
      return place === null ? [] : [{ ...placeInText(html, position), ...place }];
    });
    return { html, inlineScripts };
  }
}
