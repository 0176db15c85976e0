/** The name by which rewritten scripts reach a page's address. */
const NAME = '__rolezeroLocation';

/** `location` where something is done with it: a member of it, or an assignment to it. */
const USE =
  /(?<![\w$.#])(?:(window|self|document|globalThis|top|parent)\s*\.\s*)?location(?=\s*(?:\.(?!\.)|\?\.|\[|=(?![=>])))(\s*=)?/g;
/** A script that has a `location` of its own means that one when it assigns to it. */
const OWN =
  /\b(?:let|const|var|function|class)\s+(?:location\b|[^;=]*[,{]\s*location\b)|[(,]\s*location\s*[,)=]/;

/**
 * In a frame without an origin a page stands at `about:srcdoc`, cannot see its address and cannot go elsewhere by it, and nothing but the
 * text of its scripts can be changed about that. So each use of `location` in them asks `locationScript`'s object instead, which stands
 * in for the real one and for nothing else: a variable of that name stays what it is.
 */
export function virtualLocation(code: string): string {
  if (!code.includes('location')) return code;
  const ownLocation = OWN.test(code);
  return code.replace(USE, (whole, owner: string | undefined, assigned: string | undefined, at: number) => {
    const before = code.slice(Math.max(0, at - 12), at);
    if (owner === undefined && /\b(let|const|var)\s+$/.test(before)) return whole;
    if (owner === undefined && assigned !== undefined && ownLocation) return whole;
    const value =
      owner === 'top' || owner === 'parent'
        ? 'location'
        : owner === undefined
          ? 'location'
          : `${owner}.location`;
    return assigned === undefined ? `${NAME}(${value})` : `${NAME}(${value}).href =`;
  });
}

/**
 * What stands behind the rewritten uses, as the text of a script to run right after the driver. It goes elsewhere by clicking a link, which
 * the driver turns into a navigation; within the page it uses the real `location`.
 */
export function locationScript(url: string): string {
  const address = JSON.stringify(url).replace(
    /[<\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `(() => {
  document.currentScript.remove();
  const real = location;
  let address = new URL(${address});
  const without = (url) => url.href.split('#')[0];
  const now = () => {
    address.hash = real.hash;
    return address;
  };
  const go = (to) => {
    const url = new URL(to, document.baseURI);
    if (url.hash !== '' && without(url) === without(address)) {
      real.hash = url.hash;
      return;
    }
    const link = document.createElement('a');
    link.href = url.href;
    link.style.display = 'none';
    document.documentElement.append(link);
    link.click();
    link.remove();
  };
  const stand = {
    assign: (to) => go(to),
    replace: (to) => go(to),
    reload: () => real.reload(),
    toString: () => now().href,
    get ancestorOrigins() { return real.ancestorOrigins; },
    get origin() { return address.origin; },
    get href() { return now().href; },
    set href(to) { go(to); },
  };
  for (const name of ['protocol', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'])
    Object.defineProperty(stand, name, {
      get: () => now()[name],
      set: (value) => {
        if (name === 'hash') real.hash = value;
        else {
          const url = new URL(now().href);
          url[name] = value;
          go(url.href);
        }
      },
    });
  for (const name of ['pushState', 'replaceState']) {
    const change = history[name].bind(history);
    history[name] = (state, title, to) => {
      change(state, title, to);
      if (to !== undefined && to !== null) address = new URL(to, address);
    };
  }
  Object.defineProperty(window, '${NAME}', { value: (given) => (given === real ? stand : given) });
})();`;
}
