/** Characters that models replace by plain ones or that are invisible, and the plain ones. */
const LOOK_ALIKES: readonly [characters: RegExp, plain: string][] = [
  [/[\u2018-\u201b\u2032\u02bc\u00b4]/gu, "'"],
  [/[\u201c-\u201f\u2033]/gu, '"'],
  [/[\u2010-\u2015\u2212]/gu, '-'],
  [/\u2026/gu, '...'],
  [/[^\S\t\n\v\f\r ]/gu, ' '],
  [/[\u00ad\u200b-\u200d\u2060\ufeff]/gu, ''],
];

/** A character with its combining marks. */
const CHARACTER = /[^]\p{M}*/gu;

/** A text in which characters that look alike are the same. */
export interface FoldedText {
  text: string;
  /** Returns the position in the original text of a position in `text`. */
  origin: (at: number) => number;
  /** Returns whether a position in `text` is between two characters of the original text. */
  isBetween: (at: number) => boolean;
}

/** Replaces typographic quotes, dashes, and spaces by plain ones, drops invisible characters, and composes accents. */
export function foldText(original: string): FoldedText {
  if (/^[\0-\x7f]*$/u.test(original)) return { text: original, origin: (at) => at, isBetween: () => true };
  const parts: string[] = [];
  const origins: number[] = [];
  for (const { 0: character, index } of original.matchAll(CHARACTER)) {
    const plain = foldCharacter(character);
    parts.push(plain);
    for (let i = 0; i < plain.length; i += 1) origins.push(index);
  }
  return {
    text: parts.join(''),
    origin: (at) => origins[at] ?? original.length,
    isBetween: (at) => at === 0 || origins[at] !== origins[at - 1],
  };
}

function foldCharacter(character: string): string {
  if (character.length === 1 && character <= '\x7f') return character;
  return LOOK_ALIKES.reduce(
    (text, [characters, plain]) => text.replace(characters, plain),
    character.normalize(),
  );
}
