let segmenter: Intl.Segmenter | undefined;

/**
 * Splits a text in any language into lower-case words for search. Splits identifiers, because users do not write them as programs do:
 * `Editor.appendFile` and `append_file` contain "append" and "file"; `HTTPServer2` becomes "http", "server", "2".
 */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const part of text.normalize('NFKC').match(PART) ?? []) {
    if (WITHOUT_CASE.test(part)) words.push(...segments(part));
    else words.push(part.toLowerCase());
  }
  return words;
}

/**
 * Matches capitals not followed by a lower-case letter, a word with an optional initial capital, digits, or letters of scripts without
 * case.
 */
const PART =
  /\p{Lu}+(?![\p{Ll}\p{M}])|\p{Lu}?[\p{Ll}\p{M}]+(?:['’]\p{Ll}+)*|\p{N}+|[\p{Lo}\p{Lm}\p{Lt}\p{M}]+/gu;
const WITHOUT_CASE = /^[\p{Lo}\p{Lm}\p{Lt}]/u;

/** Chinese, Japanese, Thai, and other languages do not separate words with spaces. In the others, a run is one word. */
function segments(run: string): string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  return Array.from(segmenter.segment(run), ({ segment }) => segment);
}
