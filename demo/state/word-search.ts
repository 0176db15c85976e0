/**
 * Rates how well a text matches a query; 0 is no match. Each word of the query must match: at the beginning of a word
 * of the text, inside it, or with all its letters in this order in one word.
 */
export function rate(text: string, query: string): number {
  const wanted = words(query);
  if (wanted.length === 0) return 1;
  const all = text.toLowerCase();
  const found = words(text);
  let sum = 0;
  for (const word of wanted) {
    const best = Math.max(all.includes(word) ? 2 : 0, ...found.map((each) => rateWord(each, word)));
    if (best === 0) return 0;
    sum += best;
  }
  return sum / wanted.length;
}

/** Returns the entries that match, the best first; equal ones keep their order. */
export function search<Entry>(
  entries: readonly Entry[],
  query: string,
  textOf: (entry: Entry) => string,
): Entry[] {
  return entries
    .map((entry) => ({ entry, score: rate(textOf(entry), query) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ entry }) => entry);
}

function rateWord(word: string, wanted: string): number {
  if (word === wanted) return 4;
  if (word.startsWith(wanted)) return 3;
  if (word.includes(wanted)) return 2;
  return wanted.length > 2 && hasInOrder(word, wanted) ? 1 : 0;
}

function hasInOrder(word: string, letters: string): boolean {
  let at = 0;
  for (const letter of letters) {
    at = word.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

function words(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
