import { iconFileName, urlIn } from './icons.js';

type PseudoElement = '::before' | '::after';

/**
 * Reads text that exists only in styles: `content` before and after an element's content, and the file names of pictures there. Most elements
 * have none, so only elements that match a rule are checked.
 */
export class PseudoTexts {
  readonly #selectors = new Map<Node, Record<PseudoElement, string>>();

  of(element: Element, place: PseudoElement): string {
    const root = element.getRootNode();
    let selectors = this.#selectors.get(root);
    if (selectors === undefined)
      this.#selectors.set(root, (selectors = selectorsOf(root as Document | ShadowRoot)));
    const selector = selectors[place];
    if (selector === '' || !element.matches(selector)) return '';
    const { content, display, visibility } = getComputedStyle(element, place);
    if (display === 'none' || visibility !== 'visible') return '';
    // Icon fonts use private-use characters. Marks and bullets have no meaning next to text.
    const text = contentStrings(content).replace(/\p{Co}/gu, '');
    if (/[\p{L}\p{N}]/u.test(text)) return text;
    const file = iconFileName(urlIn(content));
    return file === '' ? '' : ` (icon ${file}) `;
  }
}

/** Matches functions in a computed `content` value, and the text in their parentheses. */
const CONTENT_FUNCTIONS = /[\w-]+\((?:"[^"]*"|[^"()])*\)/g;

/** Returns the strings of a computed `content` value (`"Delete"`). Omits other parts (`url(…)`, `counter(…)`). */
function contentStrings(content: string): string {
  return [...content.replace(CONTENT_FUNCTIONS, '').matchAll(/"((?:[^"\\]|\\.)*)"/g)]
    .map(([, text = '']) => text.replace(/\\(.)/g, '$1'))
    .join('');
}

function selectorsOf(root: Document | ShadowRoot): Record<PseudoElement, string> {
  const found = { '::before': new Set<string>(), '::after': new Set<string>() };
  const collect = (rules: Iterable<CSSRule>): void => {
    for (const rule of rules) {
      if (rule instanceof CSSStyleRule && /["']|attr\(|var\(/.test(rule.style.content))
        for (const selector of rule.selectorText.split(',')) {
          const [, own = '', place = ''] = /^\s*(.*?)::?(before|after)\s*$/.exec(selector) ?? [];
          if (place !== '') found[place === 'before' ? '::before' : '::after'].add(own === '' ? '*' : own);
        }
      if (rule instanceof CSSGroupingRule) collect(rule.cssRules);
    }
  };
  for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets])
    try {
      collect(sheet.cssRules);
    } catch {
      continue; // style sheet of another origin
    }
  const joined = (place: PseudoElement): string =>
    [...found[place]]
      .map((own) => (/[\s>+~]$/.test(own) ? `${own}*` : own))
      .filter((own) => CSS.supports(`selector(${own})`))
      .join(', ');
  return { '::before': joined('::before'), '::after': joined('::after') };
}
