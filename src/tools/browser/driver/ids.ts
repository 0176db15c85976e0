/** Ids of elements. An id is assigned once, stays valid for the lifetime of the element, and is never reused. */
export class ElementIds {
  readonly #byElement = new WeakMap<Element, number>();
  readonly #byId = new Map<number, WeakRef<Element>>();
  #next: number;

  constructor(first: number) {
    this.#next = first;
  }

  /** First unassigned id. */
  get next(): number {
    return this.#next;
  }

  /** Skips ids that a child frame used. */
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

  /** Returns the element if it is still in the document. */
  find(id: number): Element | undefined {
    const element = this.#byId.get(id)?.deref();
    return element?.isConnected ? element : undefined;
  }

  #forgetDead(): void {
    for (const [id, reference] of this.#byId) if (!reference.deref()) this.#byId.delete(id);
  }
}
