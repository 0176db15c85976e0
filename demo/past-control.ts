import type { FileHistoryEntry, Session, StepTrace } from 'rolezero';
import { MAX_SHOWN_FILE } from './file-control.js';
import type { FileAfter, OpenFile, Store } from './state/app-state.js';
import { changesOf } from './state/file-changes.js';
import { t } from './text/index.js';

/** The files after the step selected in the timeline. */
export class PastControl {
  /** Increases with every selection; results of earlier ones are dropped. */
  #looks = 0;

  constructor(
    private readonly store: Store,
    private readonly session: () => Session | null,
    private readonly guarded: (work: () => Promise<unknown>) => Promise<void>,
  ) {}

  /** Shows them, and of the changed ones the file shown last, otherwise the first. */
  async look(): Promise<void> {
    const look = ++this.#looks;
    const { cursor, history, past, conversation } = this.store.state;
    const { steps } = conversation;
    const step = steps[cursor ?? steps.length - 1];
    const moment = step === undefined ? null : momentOf(step, history);
    await this.guarded(async () => {
      const files = moment === null ? [] : await this.#filesAfter(moment);
      const changed = files.filter(({ change }) => change !== null);
      const shown = changed.find(({ path }) => path === past?.file?.path) ?? changed[0];
      const file = shown === undefined || moment === null ? null : await this.#read(moment.id, shown);
      if (look === this.#looks) this.store.update({ past: { files, file } });
    });
  }

  /** Shows another file. */
  async show(shown: FileAfter): Promise<void> {
    const look = ++this.#looks;
    const { cursor, history, past, conversation } = this.store.state;
    const { steps } = conversation;
    const step = steps[cursor ?? steps.length - 1];
    const moment = step === undefined ? null : momentOf(step, history);
    if (moment === null || past === null) return;
    await this.guarded(async () => {
      const file = await this.#read(moment.id, shown);
      if (look === this.#looks) this.store.update({ past: { ...past, file } });
    });
  }

  async #filesAfter({ id, isOwn }: Moment): Promise<readonly FileAfter[]> {
    const files = (await this.session()?.files.after(id)) ?? [];
    if (isOwn) return files;
    return files.filter(({ change }) => change !== 'removed').map((file) => ({ ...file, change: null }));
  }

  async #read(id: string, { path, size, change }: FileAfter): Promise<OpenFile | null> {
    if (size > MAX_SHOWN_FILE) return { path, content: t.tooLarge, before: null, locked: true };
    const difference = await this.session()?.files.difference(id, path);
    if (difference === undefined) return null;
    const { before, after } = difference;
    if (after === null && change !== 'removed')
      return { path, content: t.noText, before: null, locked: true };
    return { path, content: after ?? '', before: change === null ? null : before, locked: true };
  }
}

/** A file change, by its number in the history, and whether the step made it. */
interface Moment {
  id: string;
  isOwn: boolean;
}

/** The changes of the step, otherwise the last ones before its end; null when there are no known changes until then. */
function momentOf(step: StepTrace, history: readonly FileHistoryEntry[]): Moment | null {
  const own = changesOf(step, history);
  if (own !== null) return { id: own.step, isOwn: true };
  const last = history.findLast(({ at }) => at <= step.startedAt + step.durationMs);
  return last === undefined ? null : { id: last.id, isOwn: false };
}
