import { parentOf } from '../view/dom.js';

const MARK = 'data-rolezero-hover';

/**
 * Marks the elements under the driver's mouse. `:hover` follows only the real mouse, so rules with `:hover` are duplicated for an
 * attribute. The attribute is set at the position of the driver's mouse. Menus that use only CSS then open as well.
 */
export function markHovered(element: Element | null): void {
  for (const root of rootsOf(element)) {
    repeatRules(root);
    for (const marked of root.querySelectorAll(`[${MARK}]`)) marked.removeAttribute(MARK);
  }
  for (let node = element; node instanceof Element; node = parentOf(node)) node.setAttribute(MARK, '');
}

const sheets = new WeakMap<Document | ShadowRoot, { text: string; sheet: CSSStyleSheet }>();

function rootsOf(element: Element | null): (Document | ShadowRoot)[] {
  const roots = new Set<Document | ShadowRoot>([document]);
  for (let node = element; node instanceof Element; node = parentOf(node)) {
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
  if (!rule.cssText.includes(':hover') || rule.cssText.length > 20_000) return '';
  if (rule instanceof CSSStyleRule)
    return rule.selectorText.includes(':hover') || rule.cssRules.length > 0
      ? rule.cssText.replaceAll(':hover', `[${MARK}]`)
      : '';
  if (rule instanceof CSSMediaRule)
    return `@media ${rule.conditionText} {${[...rule.cssRules].map(repeated).join('\n')}}`;
  if (rule instanceof CSSSupportsRule)
    return `@supports ${rule.conditionText} {${[...rule.cssRules].map(repeated).join('\n')}}`;
  if (rule instanceof CSSLayerBlockRule)
    return `@layer ${rule.name} {${[...rule.cssRules].map(repeated).join('\n')}}`;
  return '';
}
