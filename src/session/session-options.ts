import type { AgentEvent } from '../core/events.js';
import type { SessionOpener, SessionPosition } from '../core/store.js';
import type { CallPage, RoleContext } from '../agent/runtime/context.js';
import type { AskUser } from './user-questions.js';
import type { Team } from './team.js';

export interface SessionOptions extends Team {
  storage: SessionOpener;
  name: string;
  /** Null when no user is connected: questions are then not asked at all. */
  askUser: AskUser | null;
  emit: (event: AgentEvent) => void;
  /** Calls the page side of tools; absent when there is none. */
  callPage?: CallPage;
  /** Returns milliseconds since 1970; default the system clock. */
  now?: () => number;
  /** Called with every request to a model; for traces. */
  onRequest?: NonNullable<RoleContext['onRequest']>;
  /** Recorded results of commands outside the session; for replays. */
  recorded?: RoleContext['recorded'];
  /** Takes the session over from its current owner. */
  takeOver?: boolean;
  /** Earlier observed positions of the session; see `SessionOpener.open`. */
  known?: readonly SessionPosition[];
  /** Waits until the current owner releases the session or the signal aborts; see `SessionOpener.open`. */
  wait?: AbortSignal;
}
