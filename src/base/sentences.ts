/** Joins texts into sentences: each one ends with a full stop, unless it has its own end. Empty texts are left out. */
export function sentences(...texts: readonly string[]): string {
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => (/[.!?…。！？]["'”’)\]]*$/.test(text) ? text : `${text}.`))
    .join(' ');
}
