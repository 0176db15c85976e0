import { VIRTUAL_LOCATION, virtualLocation } from '../../virtual-location.js';
import type { PageHistory } from './history.js';
import { isFragment, type Navigator } from './navigation.js';

/** Inline handlers that may contain a navigation. */
const HANDLERS = [
  'onclick',
  'ondblclick',
  'onchange',
  'oninput',
  'onsubmit',
  'onmousedown',
  'onmouseup',
  'onkeydown',
  'onkeyup',
  'onload',
];
const SELECTOR = HANDLERS.map((name) => `[${name}*="location"]`).join(', ');

/**
 * Defines the replacement for `location` that rewritten scripts of the page use (see `virtualLocation`). It returns the page's own address
 * and reports navigations to the host. Handlers that the page adds at run time are rewritten when they appear.
 */
export function giveLocation(history: PageHistory, navigator: Navigator): void {
  const stand = standIn(history, navigator);
  Object.defineProperty(window, VIRTUAL_LOCATION, {
    value: (given: unknown) => (given === location ? stand : given),
  });
  new MutationObserver((records) => {
    for (const { target, attributeName, addedNodes } of records) {
      if (attributeName !== null) rewrite(target as Element, attributeName);
      for (const node of addedNodes)
        if (node instanceof Element)
          for (const element of [node, ...node.querySelectorAll(SELECTOR)])
            for (const name of HANDLERS) rewrite(element, name);
    }
  }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: HANDLERS });
}

function rewrite(element: Element, name: string): void {
  const before = element.getAttribute(name) ?? '';
  const after = virtualLocation(before);
  if (after !== before) element.setAttribute(name, after);
}

type LocationPart = 'protocol' | 'host' | 'hostname' | 'port' | 'pathname' | 'search' | 'hash';
const PARTS: readonly LocationPart[] = ['protocol', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'];

function standIn(history: PageHistory, navigator: Navigator): object {
  const go = (to: unknown, how: 'script' | 'replace' = 'script'): void => {
    const url = navigator.resolve(String(to));
    if (isFragment(url, history.url)) history.goToFragment(url);
    // As in browsers, a navigation during load replaces the entry: otherwise, going back would navigate forward again and again.
    else navigator.open(url, document.readyState === 'complete' ? how : 'replace');
  };
  const stand = {
    assign: (to: unknown) => go(to),
    replace: (to: unknown) => go(to, 'replace'),
    reload: () => location.reload(),
    toString: () => stand.href,
    get ancestorOrigins() {
      return location.ancestorOrigins;
    },
    get origin() {
      return new URL(history.url).origin;
    },
    get href() {
      const url = new URL(history.url);
      url.hash = location.hash;
      return url.href;
    },
    set href(to: string) {
      go(to);
    },
  };
  for (const name of PARTS)
    Object.defineProperty(stand, name, {
      get: () => new URL(stand.href)[name],
      set: (value: unknown) => {
        const url = new URL(stand.href);
        url[name] = String(value);
        go(url.href);
      },
      enumerable: true,
    });
  return stand;
}
