/** A line of a file, counted from 1. */
export interface ElementPlace {
  path: string;
  line: number;
}

/** An element of a page, as the driver of the page describes it. */
export interface PickedElement {
  name: string;
  selector: string;
  text: string;
  tag: string;
  id: string;
  classes: string;
}

/** The element at which the user has pointed: the next request is about it. */
export interface Pointed extends PickedElement {
  /** Address of its page. */
  url: string;
  /** The line that writes it; null when that is not known. */
  place: ElementPlace | null;
}

/** Lines after a start tag in which the text of the element may be. */
const MAX_LINES = 3;
/** Characters of the text that are searched for. */
const MAX_TEXT = 24;

/**
 * Returns the line that most likely writes an element: its start tag in the page, or what a script names it by. Null when no line, or more than one,
 * fits best.
 */
export function placeOf(
  element: PickedElement,
  page: string,
  files: readonly (readonly [path: string, content: string])[],
): ElementPlace | null {
  const own = files.filter(([path]) => path === page);
  const others = files.filter(([path]) => path !== page);
  return (
    bestOf(own, (lines, at) => tagScore(element, lines, at)) ??
    bestOf(files.length === 0 ? [] : [...own, ...others], (lines, at) => nameScore(element, lines[at] ?? ''))
  );
}

function bestOf(
  files: readonly (readonly [path: string, content: string])[],
  score: (lines: readonly string[], at: number) => number,
): ElementPlace | null {
  let best: (ElementPlace & { score: number }) | null = null;
  let isShared = false;
  for (const [path, content] of files) {
    const lines = content.split('\n');
    for (const at of lines.keys()) {
      const found = score(lines, at);
      if (found === 0 || (best !== null && found < best.score)) continue;
      isShared = best !== null && found === best.score;
      best = { path, line: at + 1, score: found };
    }
  }
  return best === null || isShared ? null : { path: best.path, line: best.line };
}

/** How well a line fits as the start tag of an element; 0 for another tag. */
function tagScore({ tag, id, classes, text }: PickedElement, lines: readonly string[], at: number): number {
  const start = new RegExp(`<${tag}[\\s>/]`, 'i');
  const [, own, next] = (lines[at] ?? '').split(start);
  if (own === undefined) return 0;
  const after = next === undefined ? lines.slice(at + 1, at + 1 + MAX_LINES).join(' ') : '';
  const [rest = ''] = after.split(start, 1); // The next element of the same kind may have the text.
  const near = `${own} ${rest}`.replaceAll(/\s+/g, ' ');
  const isNamed = id !== '' && near.includes(`id="${id}"`);
  const isClassed = classes !== '' && near.includes(`class="${classes}"`);
  const isWritten = text !== '' && near.includes(text.slice(0, MAX_TEXT));
  return 1 + (isNamed ? 8 : 0) + (isClassed ? 4 : 0) + (isWritten ? 4 : 0);
}

/** How well a line of a script fits: it has the text, the id, or a class of the element in quotes. */
function nameScore({ id, classes, text }: PickedElement, line: string): number {
  const names = (name: string): boolean =>
    name !== '' &&
    ['"', "'", '`'].some((quote) => line.includes(quote + name) && line.includes(name + quote));
  const isClassed = classes.split(' ').some(names);
  return (names(id) ? 4 : 0) + (names(text.slice(0, MAX_TEXT)) ? 4 : 0) + (isClassed ? 2 : 0);
}
