import type { AgentEvent } from '../core/events.js';
import { isRecord } from '../core/json.js';
import type { Write } from '../core/store.js';
import type { Queue, QueueChange } from '../team/queue.js';
import { loadCheckpoints, writeCheckpoint } from './checkpoints.js';
import type { SessionState } from './session-state.js';

/** Changes the requests that wait during a run, each in one commit. */
export class QueueChanges {
  readonly #state: SessionState;
  /** The changes in progress. No role can read their requests meanwhile. */
  readonly #changing = new Set<Promise<void>>();

  constructor(state: SessionState) {
    this.#state = state;
  }

  /** Waits for the changes in progress. Returns whether there were any. */
  async changed(): Promise<boolean> {
    const changing = [...this.#changing];
    await Promise.allSettled(changing);
    return changing.length > 0;
  }

  /** @throws RoleZeroError of `change`, `storage-…`. */
  change(
    what: AgentEvent<'queue-changed'>['change'],
    id: string,
    change: (queue: Queue) => QueueChange,
  ): Promise<void> {
    const state = this.#state;
    return state.inTurn(async () => {
      await state.readyInTurn();
      const changing = this.#store(change(state.environment.queue), id);
      this.#changing.add(changing);
      await changing.finally(() => this.#changing.delete(changing));
      state.emit({ type: 'queue-changed', change: what, messageIds: [id] });
    });
  }

  async #store({ writes, apply, cancel }: QueueChange, id: string): Promise<void> {
    try {
      await this.#state.commitApart([...writes, ...(await this.#inCheckpoints(writes, id))]);
    } catch (error) {
      cancel();
      this.#state.isStale = true; // the store may have it
      throw error;
    }
    apply();
  }

  /** Returns the writes that change a request in checkpoints, too: it does not come back when a later request is taken back. */
  async #inCheckpoints(writes: readonly Write[], id: string): Promise<Write[]> {
    const changed = new Map(writes.map((write) => [`${write.table}/${write.key}`, write]));
    const isOld = ({ table, value }: Write): boolean =>
      table === 'inbox' && isRecord(value) && value['id'] === id;
    return (await loadCheckpoints(this.#state.store)).flatMap(({ number, checkpoint }) => {
      if (!checkpoint.rows.some(isOld)) return [];
      const rows = checkpoint.rows.flatMap((row) => {
        const now = isOld(row) ? (changed.get(`${row.table}/${row.key}`) ?? row) : row;
        return now.value === undefined ? [] : [now];
      });
      return [writeCheckpoint(number, { ...checkpoint, rows })];
    });
  }
}
