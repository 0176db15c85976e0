import { collapse, cut, percentDecoded } from './quote.js';

// cspell:ignore glyphicon octicon tabler heroicon anticon dashicons
/** Class names of icon sets, with the name of the icon: `fa-trash`, `icon-trash`, `ui-icon-trash`. */
const OF_SET =
  /^(?:icons?|ico|fa|bi|ti|ri|mdi|glyphicon|octicon|codicon|lucide|feather|tabler|ui-icon|heroicon|anticon|dashicons|ph|cil|bxs?|la|uil)(?:-{1,2}|_)(.+)$/i;
/** Class names such as `trash-icon`. */
const OF_ICON = /^(?!ui-)(.+?)[-_]icon$/i;
/** Parts of class names that describe the size or the style of an icon. */
const STYLE =
  /^(?:\d*x|xs|sm|md|lg|xl|[2-7]xl|fw|ul|li|spin|pulse|solid|regular|light|thin|brands|outlined?|filled|inverse|stack.*|rotate-\d+|flip-\w+|small|medium|large|size-.*|button|btn|only|wrap(?:per)?|container|font|img|svg|icon)$/i;
/** Names of files that say nothing: hashes, numbers. */
const MEANINGLESS =
  /^(?:[\da-f]{8,}|[\d._-]+|image|img|picture|icon|sprites?|spacer|blank|pixel)(?:\.\w+)?$/i;
/** Icons that only repeat the state or the kind of their control. */
const DECORATION = /^(?:caret|chevron|triangle|angle|arrow-?drop|dropdown|expand|collapse)\b/i;
const MAX_ICON_CHARACTERS = 40;
/** Maximum width and height of an icon, in pixels. */
const ICON = 64;

/** Matches functions in a computed `content` value, and the text in their parentheses. */
const CONTENT_FUNCTIONS = /[\w-]+\((?:"[^"]*"|[^"()])*\)/g;

/** An icon that an element without text shows. */
export interface Icon {
  name: string;
  /** The author marked it as decoration: it matters only if nothing else names its control. */
  isDecoration: boolean;
}

/** Returns whether a style shows a picture. */
export function showsPicture({ backgroundImage, content }: CSSStyleDeclaration): boolean {
  return /url\(/.test(backgroundImage) || content.startsWith('url(');
}

/** Returns whether a block without content shows a picture, such as a field of a board. */
export function isPictureBox(element: Element, style: CSSStyleDeclaration): boolean {
  if (!(element instanceof HTMLElement) || element.childNodes.length > 0 || !showsPicture(style))
    return false;
  return !style.display.startsWith('inline') && element.offsetWidth >= 6 && element.offsetHeight >= 6;
}

/** Returns the name of the file of a picture that an element shows; empty if it shows none, or the name says nothing. */
export function pictureFile(element: Element, style: CSSStyleDeclaration): string {
  const source = element instanceof HTMLImageElement ? element.currentSrc || element.src : '';
  return iconFileName(urlIn(style.content) || urlIn(style.backgroundImage) || source);
}

/** Returns the address in a computed value that starts with one: `url("a.png")`. */
function urlIn(value: string): string {
  return /^url\("([^"]*)"\)/.exec(value)?.[1] ?? '';
}

/** Returns the file name in an address; empty if it says nothing. The host marks `data:` URLs with the name of the file they were made of. */
export function iconFileName(address: string): string {
  const isData = address.startsWith('data:');
  const path = isData
    ? (/#file=([^#]*)$/.exec(address.slice(-200))?.[1] ?? '')
    : address.replace(/[?#].*$/, '');
  const name = percentDecoded(path.slice(path.lastIndexOf('/') + 1));
  return address.startsWith('blob:') || MEANINGLESS.test(name)
    ? ''
    : cut(collapse(name), MAX_ICON_CHARACTERS);
}

/**
 * Returns the icon that an element without text shows, named by its title, attributes, classes, reference, or file. Null for other elements, and
 * when its name says nothing.
 */
export function iconOf(element: Element, style: CSSStyleDeclaration): Icon | null {
  if (!isIconTag(element) || (element.textContent.trim() !== '' && !(element instanceof SVGSVGElement)))
    return null;
  const { width, height } = element.getBoundingClientRect();
  if (!(element instanceof HTMLImageElement) && (width > ICON || height > ICON)) return null;
  const names = [
    svgTitle(element),
    ...iconNames(element),
    usedIn(element),
    pictureFile(element, style).replace(/\.\w{2,5}$/, ''),
  ];
  const name = cut(collapse(names.find(Boolean) ?? ''), MAX_ICON_CHARACTERS);
  return name === ''
    ? null
    : { name, isDecoration: element.getAttribute('alt') === '' || DECORATION.test(name) };
}

/** Returns the icons in an element that is hidden from screen readers. */
export function iconsOf(hidden: Element): Icon[] {
  const icons = [hidden, ...hidden.querySelectorAll('svg, img, i, span')].flatMap(
    (element) => iconOf(element, getComputedStyle(element)) ?? [],
  );
  return icons.map(({ name }) => ({ name, isDecoration: true }));
}

function isIconTag(element: Element): boolean {
  return (
    element instanceof SVGSVGElement ||
    /^(?:i|span|img|div|em|b|svg|[a-z]+-.*icon.*)$/.test(element.localName)
  );
}

function svgTitle(element: Element): string {
  const title =
    element instanceof SVGSVGElement
      ? element.querySelector('title')?.textContent
      : element.getAttribute('title');
  return element.getAttribute('aria-label') ?? element.getAttribute('alt') ?? title ?? '';
}

/** Returns the icon that the attributes of a control name, which shows it by a style; empty if they name none. */
export function iconOfControl(control: Element): string {
  return cut(collapse(iconNames(control).find(Boolean) ?? ''), MAX_ICON_CHARACTERS);
}

/** Returns the names of an icon in its attributes. */
function iconNames(element: Element): string[] {
  const given = ['data-icon', 'data-lucide', 'data-feather', 'icon'].flatMap(
    (name) => element.getAttribute(name) ?? [],
  );
  const classes = (element.getAttribute('class') ?? '').split(/\s+/);
  const named = [OF_SET, OF_ICON].flatMap((pattern) => classes.map((name) => pattern.exec(name)?.[1] ?? ''));
  return [...given, ...named.filter((name) => name !== '' && !STYLE.test(name))];
}

/** Returns the name of the drawing that an inline SVG refers to: `<use href="#icon-trash">`. */
function usedIn(element: Element): string {
  const use = element instanceof SVGSVGElement ? element.querySelector('use') : null;
  const [, name = ''] =
    /#(.+)$/.exec(use?.getAttribute('href') ?? use?.getAttribute('xlink:href') ?? '') ?? [];
  return (OF_SET.exec(name)?.[1] ?? OF_ICON.exec(name)?.[1] ?? name).trim();
}

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
