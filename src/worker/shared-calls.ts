import { isRecord } from '../core/json.js';
import type { EventBatch, SessionView } from '../wire/protocol.js';
import type { Result } from '../wire/results.js';
import type { MethodName } from '../wire/session-api.js';
import { isBatch, isView } from '../wire/shapes.js';
import { isMethodName, METHODS } from './session-methods.js';

/** Messages on the channel between the worker that owns a session and its viewers. */
export type SharedMessage =
  /** A viewer requests the current view, and events from now on. */
  | { type: 'look' }
  | { type: 'call'; call: string; holder: string; method: MethodName; args: unknown[] }
  | { type: 'view'; holder: string; view: SessionView }
  | { type: 'events'; holder: string; batch: EventBatch }
  | { type: 'result'; call: string; result: Result<unknown> };

/** Parses a posted message; returns null for any other, because other code may use the same channel. */
export function readSharedMessage(data: unknown): SharedMessage | null {
  if (!isRecord(data)) return null;
  const { type, call, holder, method, args, view, batch, result } = data;
  switch (type) {
    case 'look':
      return { type };
    case 'call':
      if (typeof call !== 'string' || typeof holder !== 'string' || !Array.isArray(args)) return null;
      // A viewer may read, and it may do what any user who sees a run may do: answer, stop, and change a request that waits.
      return isMethodName(method) && METHODS.get(method)?.viewer
        ? { type, call, holder, method, args }
        : null;
    case 'view':
      return typeof holder === 'string' && isView(view) ? (data as SharedMessage) : null;
    case 'events':
      return typeof holder === 'string' && isBatch(batch) ? (data as SharedMessage) : null;
    case 'result':
      return typeof call === 'string' && isRecord(result) ? (data as SharedMessage) : null;
    default:
      return null;
  }
}

/** Returns the channel of a session, shared by all contexts with the same storage. */
export function channelOf(place: string, session: string): BroadcastChannel {
  return new BroadcastChannel(`rolezero:${place}:${session}`);
}
