/** Caches the last result of a pure function and recomputes it only when an argument changes (shallow comparison). */
export function memoizeLast<Parts extends object, Made>(
  make: (parts: Parts) => Made,
): (parts: Parts) => Made {
  let last: { parts: Parts; made: Made } | null = null;
  return (parts) => {
    if (last === null || !isSame(last.parts, parts)) last = { parts, made: make(parts) };
    return last.made;
  };
}

function isSame<Parts extends object>(one: Parts, other: Parts): boolean {
  for (const name in one) if (one[name] !== other[name]) return false;
  return true;
}
