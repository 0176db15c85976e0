/** What undo and redo need to know of a change. See `HistoryRecord`. */
interface UndoableChange {
  number: number;
  changes: readonly { path: string }[];
  undoes: readonly number[];
  redoes?: readonly number[];
  only?: readonly string[];
}

/** Which changes are undone: this follows from each undo and redo among them. */
export class UndoneChanges {
  readonly #records: ReadonlyMap<number, UndoableChange>;
  /** Undone paths by the number of the change. */
  readonly #paths = new Map<number, Set<string>>();

  /** @param line changes that led to a state, oldest first */
  constructor(line: readonly UndoableChange[]) {
    this.#records = new Map(line.map((record) => [record.number, record]));
    for (const { undoes, redoes = [], only } of line) {
      this.#mark(undoes, true, only);
      this.#mark(redoes, false, only);
    }
  }

  /** Returns whether the change of a path is undone. */
  has({ number }: UndoableChange, path: string): boolean {
    return this.#paths.get(number)?.has(path) === true;
  }

  /** Returns whether all that was changed is undone. */
  hasAll(record: UndoableChange): boolean {
    return record.changes.length > 0 && record.changes.every(({ path }) => this.has(record, path));
  }

  /** Returns whether something of a change is undone. */
  hasSome(record: UndoableChange): boolean {
    return record.changes.some(({ path }) => this.has(record, path));
  }

  /** Marks changes of these paths, by default all, and accordingly what they had undone or done again. */
  #mark(numbers: readonly number[], isUndone: boolean, paths: readonly string[] | undefined): void {
    for (const number of numbers) {
      const record = this.#records.get(number);
      if (record === undefined) continue;
      const { undoes, redoes = [], only, changes } = record;
      const undone = this.#paths.get(number) ?? new Set();
      this.#paths.set(number, undone);
      for (const path of paths ?? changes.map((change) => change.path))
        if (isUndone) undone.add(path);
        else undone.delete(path);
      const both = paths === undefined ? only : paths.filter((path) => only?.includes(path) ?? true);
      this.#mark(undoes, !isUndone, both);
      this.#mark(redoes, isUndone, both);
    }
  }
}
