import { beginAriaCaches, endAriaCaches } from 'ivya/utils';
import type { ElementIds } from '../ids.js';
import { hoverTriggers } from '../actions/state-style.js';
import { isDragListener, isDropListener, isHoverListener } from '../page/listeners.js';
import { isEditingHost, LONGEST_NAME, nameOf, propertiesOf, roleOf } from './describe.js';
import { areasOf, deepFocus, isFoldedAway, isInView } from './dom.js';
import { iconOf, iconOfControl, iconsOf, isPictureBox, PseudoTexts, type Icon } from './icons.js';
import { isColoredBox, isDrawing, shapeOf, standingOut, stateClasses } from './look.js';
import { collapse, cut, isWords, splitAtSpaces, quote, squeeze } from './quote.js';
import { describeScroll } from './scrolling.js';
import {
  appearanceOf,
  CELLS,
  DROPPED,
  hasWords,
  HIDDEN_TAGS,
  isClickable,
  isDecorOfLabel,
  isDelegate,
  isFlat,
  isNamedAlike,
  isNowhere,
  isOneLetter,
  labelOf,
  LEAVES,
  MEANT_FOR_CLICKS,
  NAMED_BY_CONTENT,
  tipOf,
} from './traits.js';
import { holdsOneControl, namedByPicture, noteNode, removeNodes, type TreeNode } from './tree-node.js';

const MAX_ELEMENTS = 30_000;
const LONGEST_TEXT = 1_000;

export interface TreeOptions {
  ids: ElementIds;
  /** Prefix of each id: `7.` in the frame that is element 7 of its parent page. */
  prefix: string;
  /** Content of child frames, from their drivers. */
  frames: ReadonlyMap<Element, readonly TreeNode[]>;
}

/** Reads the page as lines. Reading does not change the page. */
export function readTree(options: TreeOptions): TreeNode[] {
  beginAriaCaches();
  try {
    return new TreeReader(options).read();
  } finally {
    endAriaCaches();
  }
}

const textKeys = new WeakMap<Node, number>();
let lastTextKey = 0;

class TreeReader {
  #elements = 0;
  #nodes: TreeNode[] = [];
  /** Text of adjacent inline elements, which becomes one line. */
  #words: { text: string; node: Node; parent: Element } | null = null;
  /** Enclosing element that handles clicks for its descendants: any part of it may be a target. */
  #delegate: Element | null = null;
  /** Nearest ancestor with its own line. */
  #owner: Element | null = null;
  /** Icons in the enclosing control, which belong to its line; null outside controls. */
  #icons: Icon[] | null = null;
  readonly #focused = deepFocus();
  readonly #pseudoTexts = new PseudoTexts();
  /** Selector of elements that open something on hover, by root. Empty if there are none. */
  readonly #triggers = new Map<Node, string>();

  constructor(readonly options: TreeOptions) {}

  read(): TreeNode[] {
    const modal = [...document.querySelectorAll('dialog')]
      .filter((dialog) => dialog.matches(':modal'))
      .at(-1);
    const root = modal ?? document.querySelector('body');
    const nodes = root ? this.#collect(() => this.#element(root)) : [];
    if (modal) nodes.push(noteNode('(the page waits behind this dialog)'));
    if (this.#elements >= MAX_ELEMENTS)
      nodes.push(noteNode(`(only the first ${MAX_ELEMENTS} elements were read)`));
    return nodes;
  }

  /** Returns the nodes that `walk` adds. */
  #collect(walk: () => void): TreeNode[] {
    this.#flush();
    const before = this.#nodes;
    const nodes: TreeNode[] = [];
    this.#nodes = nodes;
    walk();
    this.#flush();
    this.#nodes = before;
    return nodes;
  }

  #childrenOf(element: Element): void {
    const assigned = element instanceof HTMLSlotElement ? element.assignedNodes() : [];
    const nodes = assigned.length > 0 ? assigned : (element.shadowRoot ?? element).childNodes;
    this.#pseudoText(element, '::before');
    for (const node of nodes) {
      if (node.nodeType === Node.TEXT_NODE) this.#text(node, element);
      else if (node instanceof Element && this.#elements < MAX_ELEMENTS) this.#element(node);
    }
    this.#pseudoText(element, '::after');
  }

  #pseudoText(element: Element, place: '::before' | '::after'): void {
    const text = this.#pseudoTexts.of(element, place);
    if (text !== '') this.#say(text, element, element);
  }

  #say(text: string, node: Node, parent: Element): void {
    if (this.#words) this.#words.text += text;
    else this.#words = { text, node, parent };
  }

  #text(node: Node, parent: Element): void {
    const text = node.nodeValue ?? '';
    if (!text || (parent instanceof HTMLDetailsElement && !parent.open)) return;
    if (getComputedStyle(parent).visibility !== 'visible') return;
    if (this.#words && this.#delegate && parent !== this.#words.parent) this.#flush();
    if (this.#words || text.trim()) this.#say(text, node, parent);
  }

  #flush(): void {
    const words = this.#words;
    this.#words = null;
    const text = words && collapse(words.text);
    if (!text) return;
    const { node, parent } = words;
    const inView = isInView(parent);
    if (this.#delegate && parent !== this.#owner && text.length <= LONGEST_NAME) {
      const marks = [...standingOut(parent), ...stateClasses(parent, true)];
      this.#nodes.push({ ...this.#nodeOf(parent, '', text, marks, []), inView });
      return;
    }
    let key = textKeys.get(node);
    if (key === undefined) textKeys.set(node, (key = ++lastTextKey));
    // Splits a long text into several lines, so that a view can be split into pages between them.
    for (const [index, part] of splitAtSpaces(text, LONGEST_TEXT).entries())
      this.#nodes.push({
        key: `${this.options.prefix}t${key}.${index}`,
        text: part,
        kind: 'text',
        inView,
        children: [],
      });
  }

  #element(element: Element): void {
    this.#elements++;
    if (HIDDEN_TAGS.has(element.localName)) return;
    const isHidden = element.getAttribute('aria-hidden') === 'true';
    if (isHidden && this.#icons === null) return;
    const style = getComputedStyle(element);
    if (style.display === 'contents') {
      this.#childrenOf(element);
      return;
    }
    // The browser counts the parts of a drawing as visible even if they are not displayed.
    if (style.display === 'none' || !element.checkVisibility() || isFoldedAway(element, style)) return;
    if (isHidden) {
      this.#icons?.push(...iconsOf(element));
      return;
    }
    if (element.localName === 'br') {
      this.#flush();
      return;
    }
    if (style.visibility === 'visible') {
      if (this.#icons !== null && !isClickable(element, style) && this.#isIcon(element, style)) return;
      const nodes = this.#listed(element, style);
      if (nodes) {
        this.#flush();
        this.#nodes.push(...nodes);
        return;
      }
      if (this.#icons === null && this.#isIcon(element, style)) return;
    }
    if (isOneLetter(element, style)) {
      this.#childrenOf(element);
      return;
    }
    this.#separate(style);
    this.#childrenOf(element);
    this.#separate(style);
  }

  /** Adds an icon to the line of its control, or to the text around it. Returns false if an element is no icon. */
  #isIcon(element: Element, style: CSSStyleDeclaration): boolean {
    const icon = iconOf(element, style);
    if (icon === null) return false;
    if (this.#icons !== null) this.#icons.push(icon);
    else if (!icon.isDecoration) this.#say(` (icon ${icon.name}) `, element, element);
    return true;
  }

  /** Ends a line of text at a block. Around an inline block, inserts a space to separate words. */
  #separate({ display }: CSSStyleDeclaration): void {
    if (display === 'inline') return;
    if (!display.startsWith('inline')) this.#flush();
    else if (this.#words) this.#words.text += ' ';
  }

  /** Returns the lines of an element that deserves its own line. Null means that only its content is listed. */
  #listed(element: Element, style: CSSStyleDeclaration): TreeNode[] | null {
    if (element === document.body) return null;
    if (element instanceof HTMLLabelElement && element.control) return this.#label(element, element.control);
    if (element instanceof SVGSVGElement && !isDrawing(element) && !nameOf(element)) return null;
    if (areasOf(element).length > 0) return [this.#line(element, 'img', nameOf(element), [], [])];
    const shape = shapeOf(element);
    if (shape && isNowhere(element)) return [];
    const role = shape || roleOf(element);
    const uses = this.#usesOf(element, role, style);
    const properties = this.#ownProperties(element, style);
    if (element instanceof SVGSVGElement && isDrawing(element))
      return [this.#line(element, 'img', nameOf(element), uses, properties)];
    if (role === 'row') return this.#row(element, [...uses, ...properties]);
    const isBare = uses.length === 0 && properties.length === 0;
    if (!role && isBare && !this.#isSeenBox(element, style)) return null;
    const name = shape ? '' : role ? nameOf(element) : labelOf(element);
    if (role && !shape) properties.unshift(...propertiesOf(element, role, name));
    else if (tipOf(element) && hasWords(element))
      properties.push(`title: ${quote(cut(tipOf(element), LONGEST_NAME))}`);
    const saysNothing = isBare && properties.length === 0;
    if (saysNothing && CELLS.has(role)) return this.#delegate ? this.#cell(element, role, name) : null;
    if (saysNothing && DROPPED.has(role) && !name) return null;
    const line = this.#line(element, role, name, uses, properties);
    const isEmpty = !name && line.children.length === 0 && !shape && !MEANT_FOR_CLICKS.has(role);
    if (isEmpty && isFlat(element)) return [];
    const isBox = !role || CELLS.has(role) || role === 'listitem';
    const isOnlyClicked = isBox && uses.join() === 'clickable' && properties.length === 0;
    return isOnlyClicked && holdsOneControl(line) ? line.children : [line];
  }

  /** Returns a cell of a group in which any cell may be a target. If the cell contains elements, returns these instead. */
  #cell(cell: Element, role: string, name: string): TreeNode[] {
    const line = this.#line(cell, role, name, [], []);
    return line.children.some(({ kind }) => kind === 'element') ? line.children : [line];
  }

  #isSeenBox(element: Element, style: CSSStyleDeclaration): boolean {
    if (isColoredBox(element, style)) return !isDecorOfLabel(element);
    if (this.#icons === null && isPictureBox(element, style)) return true;
    if (!this.#delegate || element.childNodes.length > 0 || !(element instanceof HTMLElement)) return false;
    return element.offsetWidth >= 8 && element.offsetHeight >= 8;
  }

  /** Returns possible uses of an element that its role does not imply. */
  #usesOf(element: Element, role: string, style: CSSStyleDeclaration): string[] {
    const uses: string[] = [];
    if (!MEANT_FOR_CLICKS.has(role) && isClickable(element, style)) uses.push('clickable');
    const isDraggable =
      element instanceof HTMLElement && element.draggable && !/^(img|a)$/.test(element.localName);
    if (isDraggable || element.getAttribute('draggable') === 'true' || (!role && isDragListener(element)))
      uses.push('draggable');
    if (uses.length === 0 && element !== document.body && isDropListener(element)) uses.push('droppable');
    if (uses.length === 0 && !MEANT_FOR_CLICKS.has(role) && this.#isHoverTrigger(element))
      uses.push('hoverable');
    return uses;
  }

  /** Returns properties outside ARIA: scroll position and focus. */
  #ownProperties(element: Element, style: CSSStyleDeclaration): string[] {
    const scroll = describeScroll(element, style);
    return [...(scroll ? [scroll] : []), ...(element === this.#focused ? ['focused'] : [])];
  }

  #isHoverTrigger(element: Element): boolean {
    if (element === document.body || element === document.documentElement) return false;
    const root = element.getRootNode() as Document | ShadowRoot;
    let selector = this.#triggers.get(root);
    if (selector === undefined) this.#triggers.set(root, (selector = hoverTriggers(root).join(', ')));
    return (selector !== '' && element.matches(selector)) || isHoverListener(element);
  }

  #line(
    element: Element,
    role: string,
    givenName: string,
    uses: readonly string[],
    given: readonly string[],
  ): TreeNode {
    const shape = shapeOf(element);
    const properties = [...given];
    let name = givenName;
    const icons: Icon[] = [];
    let children = this.#below(element, role, icons);
    if (!role || shape || NAMED_BY_CONTENT.has(role) || DROPPED.has(role)) {
      const texts = children.filter(({ kind }) => kind === 'text').map(({ text }) => text);
      const joined = texts.join(' ');
      if (!name && texts.length === children.length && joined.length <= LONGEST_NAME) name = joined;
      if (joined.length > LONGEST_NAME && squeeze(joined).startsWith(squeeze(name.replace('…', ''))))
        name = '';
      else if (
        name &&
        (squeeze(name).includes(squeeze(joined)) || (!isWords(joined) && !isNamedAlike(element, name)))
      )
        removeNodes(children, ({ kind }) => kind === 'text');
    } else if (name && children[0]?.kind === 'text' && children[0].text === name) children.shift();
    if (!role && !name && uses.length > 0) [name, children] = namedByPicture(children);
    const isBare = !name && children.length === 0;
    const ownIcon = !name && icons.length === 0 && NAMED_BY_CONTENT.has(role) ? iconOfControl(element) : '';
    if (ownIcon !== '') icons.push({ name: ownIcon, isDecoration: false });
    const shown = icons.filter(
      ({ isDecoration, name: icon }) => isBare || (!isDecoration && !squeeze(name).includes(squeeze(icon))),
    );
    if (shown.length > 0) properties.unshift(`icon: ${quote(shown.map((icon) => icon.name).join(' '))}`);
    const hasIcon = shown.length > 0;
    const isDrawn =
      !name && !hasIcon && NAMED_BY_CONTENT.has(role) && children.every(({ kind }) => kind === 'element');
    const facts = { role, name, uses, isBare, isDrawn, hasIcon, owner: this.#owner };
    properties.push(...appearanceOf(element, facts, properties));
    if (element.localName === 'canvas') properties.push('(its content cannot be read)');
    // For a generic box, the uses replace the role.
    const use = uses.join(' ');
    if (role && use) properties.unshift(use);
    return this.#nodeOf(element, role || use, name, properties, children);
  }

  #nodeOf(
    element: Element,
    role: string,
    name: string,
    properties: readonly string[],
    children: readonly TreeNode[],
  ): TreeNode {
    const id = `${this.options.prefix}${this.options.ids.of(element)}`;
    const parts = [role || (name ? '' : 'box'), name && quote(cut(name, LONGEST_NAME)), ...properties];
    const head = [`[${id}]`, ...parts.filter(Boolean)].join(' ');
    const inView = isInView(element);
    // A single text child moves into the element's own line.
    const [only, ...others] = children;
    return only?.kind === 'text' && others.length === 0 && only.text.length <= LONGEST_NAME
      ? { key: id, text: `${head}: ${quote(only.text)}`, kind: 'element', inView, children: [] }
      : { key: id, text: head, kind: 'element', inView, children: [...children] };
  }

  /** @param icons receives the icons in the element if it is a control */
  #below(element: Element, role: string, icons: Icon[]): TreeNode[] {
    if (element.localName === 'iframe') {
      const inside = this.options.frames.get(element);
      return inside ? [...inside] : [noteNode('(a page of another site; it cannot be read from here)')];
    }
    if (element instanceof HTMLSelectElement) return [];
    const areas = areasOf(element);
    if (areas.length > 0)
      return areas.map((area) => {
        const [areaRole, name] = [roleOf(area), nameOf(area)];
        return this.#nodeOf(area, areaRole, name, propertiesOf(area, areaRole, name), []);
      });
    this.#flush(); // the preceding text does not belong to this element
    const before = { delegate: this.#delegate, owner: this.#owner, icons: this.#icons };
    this.#owner = element;
    if (NAMED_BY_CONTENT.has(role)) this.#icons = icons;
    if (isDelegate(element, role)) this.#delegate = element;
    else if (MEANT_FOR_CLICKS.has(role)) this.#delegate = null;
    const children =
      LEAVES.has(role) && !element.shadowRoot && !isEditingHost(element)
        ? []
        : this.#collect(() => this.#childrenOf(element));
    this.#delegate = before.delegate;
    this.#owner = before.owner;
    this.#icons = before.icons;
    return isEditingHost(element) ? children.filter(({ kind }) => kind !== 'text') : children;
  }

  /** Moves the plain cells of a row into its own line. */
  #row(row: Element, properties: string[]): TreeNode[] {
    const cells: string[] = [];
    const children: TreeNode[] = [];
    for (const cell of row.children) {
      const inside = this.#collect(() => this.#element(cell));
      const isPlainCell = CELLS.has(roleOf(cell)) && cell.checkVisibility();
      const parts = inside.filter(({ kind }) => kind === 'text').map(({ text }) => text);
      const others = inside.filter(({ kind }) => kind !== 'text');
      children.push(...others);
      if (parts.length > 0 || (isPlainCell && others.length === 0)) cells.push(quote(parts.join(' ')));
    }
    properties.unshift(...propertiesOf(row, 'row', ''));
    const isEmpty = cells.every((cell) => cell === "''");
    if (isEmpty && properties.length === 0) return children;
    return [this.#nodeOf(row, 'row', '', [...(isEmpty ? [] : [cells.join(' | ')]), ...properties], children)];
  }

  /** Lists a label. It repeats the name of a visible field. For a hidden field, the label is the click target. */
  #label(label: HTMLLabelElement, control: HTMLElement): TreeNode[] {
    const children = this.#collect(() => this.#childrenOf(label));
    const others = children.filter(({ kind }) => kind !== 'text');
    if (!control.checkVisibility({ visibilityProperty: true })) {
      const role = roleOf(control);
      const name = nameOf(control) || collapse(label.textContent);
      return [this.#nodeOf(label, role, name, propertiesOf(control, role, name), others)];
    }
    const name = squeeze(nameOf(control));
    const own = this.#delegate && `${this.options.prefix}${this.options.ids.of(label)}`;
    const isShown = ({ kind, key, text }: TreeNode): boolean =>
      (kind === 'text' || key === own) && name.includes(squeeze(kind === 'text' ? text : label.textContent));
    const isInName = children.every((child) => child.kind !== 'text' || isShown(child));
    return children.filter((child) => !isShown(child) || (child.kind === 'text' && !isInName));
  }
}
