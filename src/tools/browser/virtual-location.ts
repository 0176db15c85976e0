/** The name by which rewritten scripts reach a page's address. */
export const VIRTUAL_LOCATION = '__rolezeroLocation';

/**
 * `location` where something is done with it: a member of it, an assignment to it, or its value taken; `window.location` wherever it stands.
 */
const USE =
  /(?<![\w$.#])(?:(window|self|document|globalThis|top|parent)\s*\.\s*location\b|(?<=(?:[^=!<>]=|\breturn)\s*)location(?=\s*(?:[;,)}\n]|$))|location(?=\s*(?:\.(?!\.)|\?\.|\[|=(?![=>]))))(\s*=(?![=>]))?/g;
/** A script that has a `location` of its own means that one when it assigns to it. */
const OWN =
  /\b(?:let|const|var|function|class)\s+(?:location\b|[^;=]*[,{]\s*location\b)|[(,]\s*location\s*[,)=]/;

/**
 * In a frame without an origin a page stands at `about:srcdoc`, cannot see its address and cannot go elsewhere by it, and nothing but the
 * text of its scripts can be changed about that. So each use of `location` in them asks the driver's object instead, which stands in for
 * the real one and for nothing else: a variable of that name stays what it is.
 */
export function virtualLocation(code: string): string {
  if (!code.includes('location') || code.includes(VIRTUAL_LOCATION)) return code;
  const ownLocation = OWN.test(code);
  return code.replace(USE, (whole, owner: string | undefined, assigned: string | undefined, at: number) => {
    const before = code.slice(Math.max(0, at - 12), at);
    if (owner === undefined && /\b(let|const|var)\s+$/.test(before)) return whole;
    if (owner === undefined && assigned !== undefined && ownLocation) return whole;
    const isOther = owner === undefined || owner === 'top' || owner === 'parent';
    const value = isOther ? 'location' : `${owner}.location`;
    return `${VIRTUAL_LOCATION}(${value})${assigned === undefined ? '' : '.href ='}`;
  });
}
