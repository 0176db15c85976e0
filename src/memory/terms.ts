import { wordsOf } from './words.js';

/**
 * What a text is searched by: its words without those that say nothing, each cut down to its stem, so that "painted", "paints" and
 * "painting" meet. Endings are English; words of other languages stay as they are, or lose an ending on both sides alike.
 * A text of nothing but such small words keeps them: somebody may look for "The Who".
 */
export function termsOf(text: string): string[] {
  const words = plainWordsOf(text);
  const telling = words.filter((word) => !SMALL_WORDS.has(word));
  return (telling.length > 0 ? telling : words).map(stem);
}

/** The words of a text without what is tied to them: "Ann's" is "ann". */
export function plainWordsOf(text: string): string[] {
  return wordsOf(text).map((word) => word.replace(SHORT_FORM, ''));
}

/** English words that stand in every text, and those that only make it a question. */
const SMALL_WORDS = new Set(
  (
    'a an the of to in on at for and or but is are was were be been being do does did has have had i you he she it we they me my your his ' +
    'her its our their them him us this that these those with as by from about into what which who whom whose when where why how there ' +
    'here so if then than too very can could will would should may might just not no yes also any some one don didn doesn isn wasn'
  ).split(' '),
);

/** I'm, she's, they've, don't. */
const SHORT_FORM = /['’](?:s|m|re|ve|ll|d|t)$/;
const VOWEL = /[aeiouy]/;

/** A word without its plural, its tense and its final e: the common endings only, so that what is not English is hardly touched. */
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
