import { termsOf } from '../memory/terms.js';
import type { NoteLimits } from './options.js';
import type { StoredNote } from './stored-note.js';

/**
 * Chooses the notes for a request: standing instructions first, then those that share words with it, rare words counting more, then the newest
 * ones. Labelled notes are never chosen. Returns them in the order of arrival.
 */
export function chooseNotes(
  notes: readonly StoredNote[],
  query: string,
  { recalled, recalledCharacters }: Pick<NoteLimits, 'recalled' | 'recalledCharacters'>,
): StoredNote[] {
  const candidates = notes.filter(({ untrusted }) => untrusted === undefined);
  const score = scorer(candidates, query);
  const ranked = candidates
    .map((note) => ({ note, score: note.kind === 'instruction' ? Infinity : score(note) }))
    .toSorted((one, other) =>
      one.score === other.score ? other.note.number - one.note.number : other.score - one.score,
    );
  const chosen: StoredNote[] = [];
  let left = recalledCharacters;
  for (const { note } of ranked) {
    if (chosen.length === recalled) break;
    if (note.text.length > left) continue;
    left -= note.text.length;
    chosen.push(note);
  }
  return chosen.toSorted((one, other) => one.number - other.number);
}

/** Returns the notes that share words with a query, best first; all notes in their order for an empty one. */
export function searchNotes(notes: readonly StoredNote[], query: string): StoredNote[] {
  if (query.trim() === '') return [...notes];
  const score = scorer(notes, query);
  return notes
    .map((note) => ({ note, score: score(note) }))
    .filter((found) => found.score > 0)
    .toSorted((one, other) => other.score - one.score || other.note.number - one.note.number)
    .map(({ note }) => note);
}

/** Returns a function that rates how much a note has to do with a query. */
function scorer(notes: readonly StoredNote[], query: string): (note: StoredNote) => number {
  const terms = new Map(notes.map(({ id, text }) => [id, new Set(termsOf(text))]));
  const weights = [...new Set(termsOf(query))].map((term): [string, number] => {
    const having = [...terms.values()].filter((each) => each.has(term)).length;
    return [term, Math.log(1 + (notes.length - having + 0.5) / (having + 0.5))];
  });
  return ({ id }) =>
    weights.reduce((sum, [term, weight]) => sum + (terms.get(id)?.has(term) === true ? weight : 0), 0);
}
