import { RoleZeroError } from '../base/error.js';
import type { AgentEvent } from '../base/events.js';
import { isNearlyFull, type SessionSpace } from '../base/space.js';

export interface SpaceWatchHost {
  session: string;
  look(): Promise<SessionSpace>;
  emit(event: AgentEvent): void;
}

/** Commits after which the browser is asked again how much room there is. */
const EVERY = 64;

/**
 * Tells people when the room for a session's data nears its end, before anything is refused, and when something was: once, and again
 * after there was room in between. What becomes of old data is theirs to decide.
 */
export class SpaceWatch {
  #commits = 0;
  /** That it is nearly full was told, and it still is. */
  #told = false;
  /** The newest commit was refused. */
  #isFull = false;
  /** And that is not told yet. */
  #mustTell = false;
  #looking: Promise<void> | null = null;

  constructor(private readonly host: SpaceWatchHost) {}

  /** Something was stored. */
  committed(): void {
    this.#isFull = false;
    if (++this.#commits % EVERY === 0) this.look();
  }

  /** A commit was refused. */
  refused(error: unknown): void {
    if (!(error instanceof RoleZeroError) || error.code !== 'storage-full' || this.#isFull) return;
    this.#isFull = this.#mustTell = true;
    this.look();
  }

  /** Looks how much room there is, beside whatever else is done; a browser that does not tell is no fault. */
  look(): void {
    this.#looking ??= this.#tell()
      .catch(() => undefined) // the session is gone, or its storage: whoever uses it next hears of that
      .finally(() => {
        this.#looking = null;
        if (this.#mustTell) this.look();
      });
  }

  async #tell(): Promise<void> {
    const space = await this.host.look();
    const full = this.#mustTell;
    const low = space.storage !== null && isNearlyFull(space.storage);
    const tells = full || (low && !this.#told);
    this.#mustTell = false;
    this.#told = low || full;
    if (!tells) return;
    this.host.emit({
      type: 'warning',
      code: 'storage-low',
      message: `${roomOf(space, full)} Nothing is removed by itself. Older memories can be saved elsewhere and forgotten (memory.archive), the history of files forgotten (files.forgetHistory), other sessions removed.`,
      detail: { session: this.host.session, full, ...space },
    });
  }
}

function roomOf({ storage }: SessionSpace, full: boolean): string {
  const what = full
    ? 'There is no room for the newest change, which was not stored.'
    : 'The room for data is nearly full.';
  if (storage === null) return what;
  return `${what} This site takes ${megabytes(storage.usage)} of ${megabytes(storage.quota)}.`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
