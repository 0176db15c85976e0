let segmenter: Intl.Segmenter | undefined;

/**
 * The words of a text in any language, in lower case, for a search. Names are taken apart, since people do not write them as programs do:
 * `Editor.appendFile` and `append_file` hold "append" and "file", and `HTTPServer2` is "http", "server", "2".
 */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const part of text.normalize('NFKC').match(PART) ?? []) {
    if (WITHOUT_CASE.test(part)) words.push(...segments(part));
    else words.push(part.toLowerCase());
  }
  return words;
}

/** Capitals that no small letter follows, a word that may begin with one, digits, letters of scripts without case. */
const PART =
  /\p{Lu}+(?![\p{Ll}\p{M}])|\p{Lu}?[\p{Ll}\p{M}]+(?:['’]\p{Ll}+)*|\p{N}+|[\p{Lo}\p{Lm}\p{Lt}\p{M}]+/gu;
const WITHOUT_CASE = /^[\p{Lo}\p{Lm}\p{Lt}]/u;

/** Chinese, Japanese, Thai and others put no space between words; where they do, a run is one word. */
function segments(run: string): string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  return Array.from(segmenter.segment(run), ({ segment }) => segment);
}
