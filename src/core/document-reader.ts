/** Reads the text of documents of certain types, such as `pdf()` of `rolezero/readers/pdf`. It runs on the page. */
export interface DocumentReader {
  /** Media types: `['application/pdf']`. */
  readonly types: readonly string[];
  /** Returns the text of a document. Text beyond a million characters is cut. Rejects for a document that it cannot read. */
  read(document: Blob): Promise<string>;
}
