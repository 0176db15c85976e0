/**
 * Whether a name fits a pattern in which `*` stands for any characters and `?` for one. Names are file names and patterns come from a
 * model, so no expression is built from them: the last star alone is moved on, which takes at most name × pattern comparisons.
 */
export function matchesGlob(name: string, pattern: string): boolean {
  let at = 0;
  let place = 0;
  let star = -1;
  let afterStar = 0;
  while (at < name.length) {
    const wanted = pattern[place];
    if (wanted === '*') {
      star = place;
      afterStar = at;
      place += 1;
    } else if (wanted === '?' || wanted === name[at]) {
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
  while (pattern[place] === '*') place += 1;
  return place === pattern.length;
}
