/**
 * Whether a name fits a pattern in which `*` stands for any characters and `?` for one. Patterns come from models, so no expression is
 * built from them: the last star alone is moved on, which takes at most name × pattern comparisons.
 */
export function matchesGlob(name: string, pattern: string): boolean {
  return fits(
    Array.from(name),
    Array.from(pattern),
    '*',
    (wanted, found) => wanted === '?' || wanted === found,
  );
}

/**
 * Whether an absolute path fits a pattern of names: `*` and `?` stay in one name, a name `**` stands for any number of them, none included
 * (at the end: at least one). A pattern without a slash is one of the last name.
 */
export function matchesPath(path: string, pattern: string): boolean {
  const names = path.split('/').slice(1);
  if (!pattern.includes('/')) return pattern === '**' || matchesGlob(names.at(-1) ?? '', pattern);
  const wanted = pattern.split('/').filter((name, index) => name !== '' || index > 0);
  if (wanted.at(-1) === '**') wanted.push('*');
  return fits(names, wanted, '**', (each, name) => matchesGlob(name, each));
}

/** Whether items fit a pattern in which `any` stands for any number of them. */
function fits(
  items: readonly string[],
  pattern: readonly string[],
  any: string,
  matches: (wanted: string, item: string) => boolean,
): boolean {
  let at = 0;
  let place = 0;
  let star = -1;
  let afterStar = 0;
  while (at < items.length) {
    const wanted = pattern[place];
    if (wanted === any) {
      star = place;
      afterStar = at;
      place += 1;
    } else if (wanted !== undefined && matches(wanted, items[at] ?? '')) {
      at += 1;
      place += 1;
    } else if (star !== -1) {
      afterStar += 1;
      at = afterStar;
      place = star + 1;
    } else {
      return false;
    }
  }
  while (pattern[place] === any) place += 1;
  return place === pattern.length;
}
