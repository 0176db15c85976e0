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

/**
 * Returns the search terms of a text: its words without stop words, reduced to stems, so that "painted", "paints", and "painting" match.
 * Endings are English; words of other languages stay unchanged or are shortened the same way in queries and documents. A text of stop words
 * only retains them, for searches such as "The Who".
 */
export function termsOf(text: string): string[] {
  const words = plainWordsOf(text);
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  return (telling.length > 0 ? telling : words).map(stem);
}

/** Returns the words of a text without contracted endings: "Ann's" becomes "ann". */
function plainWordsOf(text: string): string[] {
  return wordsOf(text).map((word) => word.replace(SHORT_FORM, ''));
}

/** English stop words, including question words. */
const STOP_WORDS = new Set(
  (
    'a an the of to in on at for and or but is are was were be been being do does did has have had i you he she it we they me my your his ' +
    'her its our their them him us this that these those with as by from about into what which who whom whose when where why how there ' +
    'here so if then than too very can could will would should may might just not no yes also any some one don didn doesn isn wasn'
  ).split(' '),
);

/** Endings of short forms: I'm, she's, they've, don't. */
const SHORT_FORM = /['’](?:s|m|re|ve|ll|d|t)$/;
const VOWEL = /[aeiouy]/;

/** Removes the plural ending, the tense ending, and a final e. Handles common endings only, so that other languages are hardly affected. */
export function stem(word: string): string {
  const singular = withoutPlural(word);
  const plain = withoutTense(singular);
  const short = plain.length > 3 && plain.endsWith('e') ? plain.slice(0, -1) : plain;
  return short.length > 2 && short.endsWith('y') ? `${short.slice(0, -1)}i` : short;
}

function withoutPlural(word: string): string {
  if (word.length <= 3 || !word.endsWith('s')) return word;
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.endsWith('sses')) return word.slice(0, -2);
  return /(ss|us|is)$/.test(word) ? word : word.slice(0, -1);
}

function withoutTense(word: string): string {
  const [ending] = /(ing|ed)$/.exec(word) ?? [];
  if (ending === undefined) return word;
  const rest = word.slice(0, -ending.length);
  if (rest.length < 3 || !VOWEL.test(rest)) return word;
  return /([^lsz])\1$/.test(rest) ? rest.slice(0, -1) : rest; // stopped, running
}
