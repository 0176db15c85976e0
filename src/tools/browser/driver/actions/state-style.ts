import { composedParent } from '../view/dom.js';

const HOVER = 'data-rolezero-hover';
const FOCUS = 'data-rolezero-focus';
const FOCUS_WITHIN = 'data-rolezero-focus-within';

/** Attributes that replace pseudo-classes. Those of the focus are added where the page has a focus of its own. */
const marks: [pseudoClass: string, attribute: string][] = [[':hover', HOVER]];

/**
 * Marks the elements under the driver's mouse. `:hover` follows only the real mouse, so rules with `:hover` are duplicated for an
 * attribute. The attribute is set at the position of the driver's mouse. Menus that use only CSS then open as well.
 */
export function markHovered(element: Element | null): void {
  unmark(element, HOVER);
  for (let node = element; node instanceof Element; node = composedParent(node)) node.setAttribute(HOVER, '');
}

/** Marks the focused element and what contains it, where the browser applies no rules with `:focus`. */
export function markFocused(element: Element | null, before: Element | null): void {
  if (marks.length === 1)
    marks.push([':focus-within', FOCUS_WITHIN], [':focus-visible', FOCUS], [':focus', FOCUS]);
  for (const attribute of [FOCUS, FOCUS_WITHIN]) {
    unmark(before, attribute);
    unmark(element, attribute);
  }
  element?.setAttribute(FOCUS, '');
  for (let node = element; node instanceof Element; node = composedParent(node))
    node.setAttribute(FOCUS_WITHIN, '');
}

function unmark(element: Element | null, attribute: string): void {
  for (const root of rootsOf(element)) {
    repeatRules(root);
    for (const marked of root.querySelectorAll(`[${attribute}]`)) marked.removeAttribute(attribute);
  }
}

const sheets = new WeakMap<Document | ShadowRoot, { text: string; sheet: CSSStyleSheet }>();

function rootsOf(element: Element | null): (Document | ShadowRoot)[] {
  const roots = new Set<Document | ShadowRoot>([document]);
  for (let node = element; node instanceof Element; node = composedParent(node)) {
    const root = node.getRootNode();
    if (root instanceof ShadowRoot) roots.add(root);
  }
  return [...roots];
}

function repeatRules(root: Document | ShadowRoot): void {
  const own = sheets.get(root);
  const text = [...root.styleSheets, ...root.adoptedStyleSheets]
    .filter((sheet) => sheet !== own?.sheet)
    .flatMap(rulesOf)
    .map(repeated)
    .filter((rule) => rule !== '')
    .join('\n');
  if (text === (own?.text ?? '')) return;
  const sheet = own?.sheet ?? new CSSStyleSheet();
  sheet.replaceSync(text);
  sheets.set(root, { text, sheet });
  if (!own) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}

/**
 * Returns selectors of elements that show other content on hover: `li` for `li:hover > ul`. Omits selectors that the browser cannot parse.
 */
export function hoverTriggers(root: Document | ShadowRoot): string[] {
  const found = new Set<string>();
  const own = sheets.get(root)?.sheet;
  const collect = (rules: Iterable<CSSRule>): void => {
    for (const rule of rules) {
      if (rule instanceof CSSStyleRule && rule.selectorText.includes(':hover'))
        for (const selector of rule.selectorText.split(',')) {
          const [, trigger = '', rest = ''] = /^\s*(.*?):hover(.*)$/.exec(selector) ?? [];
          if (/[\s>+~]/.test(rest.trim() === '' ? '' : rest) && /[\w\])*-]$/.test(trigger))
            found.add(trigger);
        }
      if (rule instanceof CSSGroupingRule) collect(rule.cssRules);
    }
  };
  for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets])
    if (sheet !== own) collect(rulesOf(sheet));
  return [...found].filter((selector) => CSS.supports(`selector(${selector})`));
}

function rulesOf(sheet: CSSStyleSheet): CSSRule[] {
  try {
    return [...sheet.cssRules];
  } catch {
    return []; // style sheet of another origin
  }
}

function repeated(rule: CSSRule): string {
  if (!isMarked(rule.cssText) || rule.cssText.length > 20_000) return '';
  if (rule instanceof CSSStyleRule)
    return isMarked(rule.selectorText) || rule.cssRules.length > 0
      ? marks.reduce(
          (text, [pseudoClass, attribute]) => text.replaceAll(pseudoClass, `[${attribute}]`),
          rule.cssText,
        )
      : '';
  if (rule instanceof CSSMediaRule)
    return `@media ${rule.conditionText} {${[...rule.cssRules].map(repeated).join('\n')}}`;
  if (rule instanceof CSSSupportsRule)
    return `@supports ${rule.conditionText} {${[...rule.cssRules].map(repeated).join('\n')}}`;
  if (rule instanceof CSSLayerBlockRule)
    return `@layer ${rule.name} {${[...rule.cssRules].map(repeated).join('\n')}}`;
  return '';
}

function isMarked(text: string): boolean {
  return marks.some(([pseudoClass]) => text.includes(pseudoClass));
}
