import type { LongTermStore, StoredMemory } from '../base/long-term.js';
import type { RoleContext } from './context.js';
import { rowKey, type Journal } from './journal.js';

/** The older memories of a role as rows of its session: written with its journal, so that a message is in one place after any crash. */
export class LongTermRows implements LongTermStore {
  /** What is not stored yet; null stands for a removal. Without a session it never is. */
  readonly #unsaved = new Map<number, StoredMemory | null>();

  constructor(
    private readonly role: string,
    private readonly journal: () => Journal,
    private readonly context: () => Pick<RoleContext, 'read'>,
  ) {}

  put(item: StoredMemory): void {
    this.journal().put('memories', rowKey(this.role, item.number), item);
    this.keepUntilSaved(item.number, item);
  }

  remove(number: number): void {
    this.journal().remove('memories', rowKey(this.role, number));
    this.keepUntilSaved(number, null);
  }

  async read(numbers: readonly number[]): Promise<unknown[]> {
    const stored = numbers.filter((number) => !this.#unsaved.has(number));
    const keys = stored.map((number) => rowKey(this.role, number));
    const unsaved = new Map(this.#unsaved); // as it was before the wait: afterwards it may be stored
    const rows = new Map(
      (await this.context().read?.('memories', keys))?.map(({ key, value }) => [key, value]),
    );
    return numbers
      .map((number) => unsaved.get(number) ?? rows.get(rowKey(this.role, number)))
      .filter((value) => value !== undefined);
  }

  private keepUntilSaved(number: number, item: StoredMemory | null): void {
    this.#unsaved.set(number, item);
    if (this.context().read === undefined) return;
    this.journal().then(() => {
      if (this.#unsaved.get(number) === item) this.#unsaved.delete(number);
    });
  }
}
