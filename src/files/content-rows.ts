/** A part of a row of the table `contents`: its key, where it begins, and its length, in UTF-16 units of a text or in bytes. */
export type Slice = readonly [key: string, from: number, length: number];

/** The rows that make up a content: a whole one, or parts of several, in order. */
export type ContentRows =
  | { readonly key: string }
  | {
      readonly slices: readonly Slice[];
      /** Length of all its rows, including what it no longer contains. */
      readonly weight: number;
    };
