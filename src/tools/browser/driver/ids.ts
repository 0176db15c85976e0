/** Ids of elements: given once, kept as long as the element lives, never used again. */
export class ElementIds {
  readonly #byElement = new WeakMap<Element, number>();
  readonly #byId = new Map<number, WeakRef<Element>>();
  #next: number;

  constructor(first: number) {
    this.#next = first;
  }

  /** The first id that was not given yet. */
  get next(): number {
    return this.#next;
  }

  /** Leaves out ids that a child frame used. */
  skipTo(next: number): void {
    this.#next = Math.max(this.#next, next);
  }

  of(element: Element): number {
    let id = this.#byElement.get(element);
    if (id === undefined) {
      id = this.#next++;
      this.#byElement.set(element, id);
      this.#byId.set(id, new WeakRef(element));
      if (this.#byId.size % 5_000 === 0) this.#forgetDead();
    }
    return id;
  }

  /** The element, if it is still part of the document. */
  find(id: number): Element | undefined {
    const element = this.#byId.get(id)?.deref();
    return element?.isConnected ? element : undefined;
  }

  #forgetDead(): void {
    for (const [id, reference] of this.#byId) if (!reference.deref()) this.#byId.delete(id);
  }
}
