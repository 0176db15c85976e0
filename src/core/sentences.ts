/** Joins texts into sentences. Adds a full stop to each text without final punctuation. Skips empty texts. */
export function sentences(...texts: readonly string[]): string {
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => (/[.!?…。！？]["'”’)\]]*$/.test(text) ? text : `${text}.`))
    .join(' ');
}
