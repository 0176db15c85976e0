/** The file's bytes, from words in the order of their frequency and their vectors; 30,000 words unless `most` says otherwise. */
export function gloveFile(
  source: { words: readonly string[]; vectors: Record<string, readonly number[]> },
  most?: number,
): Buffer;
