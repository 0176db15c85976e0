import { RoleZeroError } from '../core/error.js';
import type { AgentEvent } from '../core/events.js';
import { isNearlyFull, type SessionSpace } from '../core/space.js';

/** Number of commits between two checks of the available storage. */
const EVERY = 64;

/**
 * Warns the user when storage for a session's data is nearly full, and when a write was rejected for lack of space. Warns once, and again
 * only after space was available in between. What happens to old data is the user's decision.
 */
export class SpaceWatch {
  readonly #session: string;
  readonly #space: () => Promise<SessionSpace>;
  readonly #emit: (event: AgentEvent) => void;
  #commits = 0;
  /** Storage is nearly full, and that was reported. */
  #isReported = false;
  /** The newest commit was rejected. */
  #isFull = false;
  /** That rejection is not reported yet. */
  #mustReport = false;
  #looking: Promise<void> | null = null;

  constructor(session: string, space: () => Promise<SessionSpace>, emit: (event: AgentEvent) => void) {
    this.#session = session;
    this.#space = space;
    this.#emit = emit;
  }

  /** Called after a commit was stored. */
  committed(): void {
    this.#isFull = false;
    if (++this.#commits % EVERY === 0) this.look();
  }

  /** Called after a commit was rejected. */
  refused(error: unknown): void {
    if (!(error instanceof RoleZeroError) || error.code !== 'storage-full' || this.#isFull) return;
    this.#isFull = this.#mustReport = true;
    this.look();
  }

  /** Checks the available storage in the background; a browser that does not report it is no error. */
  look(): void {
    this.#looking ??= this.#report()
      .catch(() => undefined) // the session or its storage is gone: its next use reports that
      .finally(() => {
        this.#looking = null;
        if (this.#mustReport) this.look();
      });
  }

  async #report(): Promise<void> {
    const space = await this.#space();
    const full = this.#mustReport;
    const low = space.storage !== null && isNearlyFull(space.storage);
    const isNew = full || (low && !this.#isReported);
    this.#mustReport = false;
    this.#isReported = low || full;
    if (!isNew) return;
    this.#emit({
      type: 'warning',
      code: 'storage-low',
      message: `${roomOf(space, full)} Nothing is removed automatically. To free space, export and delete older memories (memory.archive), delete the history of files (files.forgetHistory), or remove other sessions.`,
      detail: { session: this.#session, full, ...space },
    });
  }
}

function roomOf({ storage }: SessionSpace, full: boolean): string {
  const what = full
    ? 'The newest change was not stored: the storage is full.'
    : 'The storage is nearly full.';
  if (storage === null) return what;
  return `${what} This site takes ${megabytesText(storage.usage)} of ${megabytesText(storage.quota)}.`;
}

function megabytesText(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
