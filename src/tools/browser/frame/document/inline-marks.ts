import { newId } from '../../../../core/new-id.js';
import { placeInText, type InlineScript } from '../error-place.js';

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
