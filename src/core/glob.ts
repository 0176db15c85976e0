/**
 * Returns whether a name matches a pattern in which `*` matches any characters and `?` matches one. Both are composed (NFC). Patterns come from models, so no
 * regular expression is built from them. Only the last star is advanced, which takes at most name × pattern comparisons.
 */
export function matchesGlob(name: string, pattern: string): boolean {
  return matchesItems(
    Array.from(name.normalize()),
    Array.from(pattern.normalize()),
    '*',
    (wanted, found) => wanted === '?' || wanted === found,
  );
}

/**
 * Returns whether an absolute path matches a path pattern. `*` and `?` match within one name. `**` as a name matches any number of names,
 * including none (at the end: at least one). A pattern without a slash is matched against the last name.
 */
export function matchesPath(path: string, pattern: string): boolean {
  const names = path.split('/').slice(1);
  if (!pattern.includes('/')) return pattern === '**' || matchesGlob(names.at(-1) ?? '', pattern);
  const wanted = pattern.split('/').filter((name, index) => name !== '' || index > 0);
  if (wanted.at(-1) === '**') wanted.push('*');
  return matchesItems(names, wanted, '**', (each, name) => matchesGlob(name, each));
}

/** Returns whether items match a pattern in which `any` matches any number of them. */
function matchesItems(
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
