import { describeElement } from './actions/reach.js';
import { contains } from './view/dom.js';
import { collapse, cut, quote } from './view/quote.js';

const MAX_FLASHES = 30;
const MAX_CHANGED = 1_000;

/** Detects changes that appear and disappear during an action. The view shows only the final page, but a user would have seen them. */
export class Flashes {
  readonly #idOf: (element: Element) => string;
  readonly #observer = new MutationObserver((records) => this.#take(records));
  #began = new Map<Element, string>();
  #order: Element[] = [];
  /** Elements that were visible when they looked different. */
  #seen = new Set<Element>();
  #added = new Set<string>();
  #removed = new Set<string>();

  /** `idOf` returns the id by which the model knows an element. */
  constructor(idOf: (element: Element) => string) {
    this.#idOf = idOf;
  }

  /** Starts observing the changes of an action. They are observed on after `end`, as more of them may follow while the page is watched. */
  begin(): void {
    this.#observer.takeRecords();
    this.#reset();
    this.resume();
  }

  #reset(): void {
    this.#began = new Map();
    this.#order = [];
    this.#seen = new Set();
    this.#added = new Set();
    this.#removed = new Set();
  }

  /** Continues with the changes since the last `end`. */
  resume(): void {
    this.#observer.observe(document, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ['class', 'style'],
      attributeOldValue: true,
    });
  }

  /** Returns the changes, one sentence each. Ignores changes of `acted`, the target of the action. */
  end(acted: Element | null): string[] {
    this.#take(this.#observer.takeRecords());
    const flashed = this.#order.filter(
      (element) =>
        element.isConnected &&
        (this.#seen.has(element) || isVisible(element)) &&
        this.#began.get(element) === lookOf(element) &&
        !(acted !== null && (contains(element, acted) || contains(acted, element))),
    );
    const came = [...this.#removed].filter((words) => this.#added.has(words));
    const text = came.length === 0 ? '' : collapse(document.body.innerText);
    const gone = came.filter((words) => !text.includes(words));
    this.#reset();
    return [
      ...(flashed.length === 0
        ? []
        : [
            `For a moment these looked different, in this order: ${flashed.map((element) => `[${this.#idOf(element)}] ${describeElement(element)}`).join(', ')}.`,
          ]),
      ...gone.slice(0, 5).map((words) => `Shown for a moment: ${quote(cut(words, 200))}.`),
    ];
  }

  #take(records: readonly MutationRecord[]): void {
    for (const { type, target, attributeName, oldValue, addedNodes, removedNodes } of records) {
      if (type === 'childList') {
        for (const node of addedNodes) noteText(this.#added, node);
        for (const node of removedNodes) noteText(this.#removed, node);
        continue;
      }
      const element = target as Element;
      if (this.#began.size >= MAX_CHANGED && !this.#began.has(element)) continue;
      const before =
        attributeName === 'class'
          ? lookOf(element, { class: oldValue })
          : lookOf(element, { style: oldValue });
      const first = this.#began.get(element) ?? before;
      this.#began.set(element, first);
      // Counts once each time the element leaves its initial look.
      if (before !== first || this.#order.length >= MAX_FLASHES) continue;
      this.#order.push(element);
      if (isVisible(element)) this.#seen.add(element);
    }
  }
}

function isVisible(element: Element): boolean {
  return element.checkVisibility({ visibilityProperty: true });
}

/** Returns the look of an element, from its attributes. `instead` overrides an attribute with an earlier value. */
function lookOf(element: Element, instead: { class?: string | null; style?: string | null } = {}): string {
  const of = (name: 'class' | 'style'): string =>
    (name in instead ? instead[name] : element.getAttribute(name)) ?? '';
  return `${of('class').trim()} / ${of('style').trim()}`;
}

function noteText(found: Set<string>, node: Node): void {
  const words = collapse(node.textContent ?? '');
  if (words !== '' && words.length <= 300 && found.size < 200) found.add(words);
}
