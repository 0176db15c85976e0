import type { Session } from 'rolezero';
import type { State, Store, Tab } from './state/app-state.js';
import { tourIn } from './state/session-names.js';
import { saveTourSpeed } from './state/settings.js';
import type { Tour } from './tour/index.js';
import { controlPace, type PaceControl } from './tour/pace.js';

/** In ms, the pause between two requests of a tour. */
const BETWEEN_REQUESTS = 1_500;
/** In ms, the time to see the beginning of a thought before the page reloads. */
const BEFORE_RELOAD = 1_200;
/** Key for the name of the intentionally reloaded session. */
const RELOADED = 'rolezero-demo:reloaded';

/** What a tour does like a user. */
interface TourActions {
  ask: (request: string) => void;
  resume: () => void;
}

/** A recorded run: its requests, pace, tabs and intended reload. Does nothing in other sessions. */
export class TourControl {
  #pace: PaceControl | null = null;
  /** The recorded runs; null until one is opened. */
  #tours: typeof import('./tour/index.js') | null = null;
  #nextRequest: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly store: Store,
    private readonly session: () => Session | null,
    private readonly guarded: (work: () => Promise<unknown>) => Promise<void>,
    private readonly actions: TourActions,
  ) {}

  /** Loads the recorded run of a session that is being opened, and sets its pace. */
  async begin(session: string): Promise<void> {
    if (tourIn(session) === null) return;
    this.#pace = controlPace(session, () => this.store.state.tourSpeed);
    this.#tours ??= await import('./tour/index.js');
  }

  end(): void {
    this.stop();
    this.#pace?.close();
    this.#pace = null;
  }

  /** Sends no further request. */
  stop(): void {
    clearTimeout(this.#nextRequest);
  }

  /** Continues with the next step, though the time to read the note is not over. */
  next(): void {
    this.#pace?.next();
  }

  setSpeed(speed: number): void {
    saveTourSpeed(localStorage, speed);
    this.store.update({ tourSpeed: speed });
    this.#pace?.sendSpeed();
  }

  /** Sends the next request, or resumes after the intended reload. */
  proceed(justOpened: boolean): void {
    const session = this.session();
    const tour = this.#tour();
    if (session === null || tour === null || (session.running !== null && justOpened)) return;
    if (justOpened && (session.resumable || session.waiting !== null)) {
      if (sessionStorage.getItem(RELOADED) === session.name && session.waiting === null)
        this.actions.resume();
      return;
    }
    const done = this.store.state.conversation.entries.filter(({ kind }) => kind === 'request').length;
    const next = tour.requests[done];
    if (next === undefined) return;
    const ask = async (): Promise<void> => {
      if (session !== this.session()) return;
      if (done === 0 && tour.files !== undefined)
        await session.files.writeAll(
          Object.entries(tour.files).map(([path, content]) => ({ path, content })),
          { existing: 'keep' },
        );
      this.actions.ask(next);
    };
    this.stop();
    this.#nextRequest = setTimeout(() => void this.guarded(ask), justOpened ? 0 : BETWEEN_REQUESTS);
  }

  /** Returns the tab to which the newest step points; null for none, or when the user has chosen another. */
  tabOfStep(): Tab | null {
    if (this.store.state.tabIsOwn) return null;
    return this.#tour()?.looks[stepsIn(this.store.state) - 1] ?? null;
  }

  /** Reloads the page in the middle of a thought, once, in the tour that shows it. */
  reload(): void {
    const session = this.session();
    const tour = this.#tour();
    if (session === null || tour === null || sessionStorage.getItem(RELOADED) === session.name) return;
    if (stepsIn(this.store.state) !== tour.reloadAfter) return;
    const stop = session.on((event) => {
      if (event.type !== 'reply-delta') return;
      stop();
      sessionStorage.setItem(RELOADED, session.name);
      setTimeout(() => location.reload(), BEFORE_RELOAD);
    });
  }

  /** The recorded run of the open session; null for none. */
  #tour(): Tour | null {
    const name = tourIn(this.session()?.name ?? null);
    return name === null ? null : (this.#tours?.tourOf(name) ?? null);
  }
}

function stepsIn({ conversation }: Pick<State, 'conversation'>): number {
  return conversation.entries.filter(({ kind }) => kind === 'step').length;
}
