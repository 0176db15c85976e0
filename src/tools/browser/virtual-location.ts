/** Name by which rewritten scripts access the page's address. */
export const VIRTUAL_LOCATION = '__rolezeroLocation';

/** Matches uses of `location`: access to a member, an assignment, or use as a value. Also matches `window.location` in any position. */
const USE =
  /(?<![\w$.#])(?:(window|self|document|globalThis|top|parent)\s*(?:\.\s*location\b|\[\s*(?:'location'|"location")\s*\])|(?<=(?:[^=!<>]=|\breturn)\s*)location(?=\s*(?:[;,)}\n]|$))|location(?=\s*(?:\.(?!\.)|\?\.|\[|=(?![=>]))))(\s*=(?![=>]))?/g;
/** Matches a script that declares its own `location`. Assignments in such a script refer to the declared variable. */
const DECLARED_LOCATION =
  /\b(?:let|const|var|function|class)\s+(?:location\b|[^;=]*[,{]\s*location\b)|[(,]\s*location\s*[,)=]/;

/**
 * Rewrites each use of `location` in a script to ask the driver's object. In a frame without an origin, the page's address is
 * `about:srcdoc`. There `location` neither returns the page's address nor navigates, and only rewriting the script text can change that.
 * The driver's object replaces only the real `location`; a variable with that name keeps its value.
 */
export function virtualLocation(code: string): string {
  if (!code.includes('location') || code.includes(VIRTUAL_LOCATION)) return code;
  const ownLocation = DECLARED_LOCATION.test(code);
  return code.replace(USE, (whole, owner: string | undefined, assigned: string | undefined, at: number) => {
    const before = code.slice(Math.max(0, at - 12), at);
    if (owner === undefined && /\b(let|const|var)\s+$/.test(before)) return whole;
    if (owner === undefined && assigned !== undefined && ownLocation) return whole;
    const isOther = owner === undefined || owner === 'top' || owner === 'parent';
    const value = isOther ? 'location' : `${owner}.location`;
    return `${VIRTUAL_LOCATION}(${value})${assigned === undefined ? '' : '.href ='}`;
  });
}
