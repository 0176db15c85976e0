/** Invisible characters other than space, tab, and line breaks. Other kinds of spaces look like a space and mean something else. */
const UNSEEN_CHARACTERS = /(?![ \n\t])[\p{Default_Ignorable_Code_Point}\p{C}\p{Z}\u2800]/gu;

/** Escapes invisible characters. */
export function visible(text: string): string {
  return text.replace(
    UNSEEN_CHARACTERS,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
