import { RoleZeroError } from '../core/error.js';
import type { CallTrace, StepTrace } from '../core/events.js';
import type { CallPlace } from '../agent/runtime/context.js';

/** Replies by `placeKey`. */
type Replies = ReadonlyMap<string, CallTrace>;

/** The replies that the next run repeats for a request. Not stored: after a crash, the model is asked. */
export class RecordedReplies {
  #messageId = '';
  #replies: Replies = new Map();

  set(messageId: string, replies: Replies): void {
    this.#messageId = messageId;
    this.#replies = replies;
  }

  /** Returns the reply to the same question; undefined when the work differs, so that the model is asked. */
  find(place: CallPlace): CallTrace | undefined {
    if (place.requirement !== this.#messageId) return undefined;
    const reply = this.#replies.get(placeKey(place));
    return reply?.purpose === place.purpose ? reply : undefined;
  }
}

/** Returns the replies of the steps of a request before this one. @throws RoleZeroError `not-found` when one is not stored. */
export function recordedReplies(messageId: string, steps: readonly StepTrace[], fromStep: number): Replies {
  const before = steps.filter(({ requirement, step }) => requirement === messageId && step < fromStep);
  for (let step = 0; step < fromStep; step++) {
    if (before.some((each) => each.step === step)) continue;
    throw new RoleZeroError(
      'not-found',
      `Step ${step} of the request ${JSON.stringify(messageId)} is not stored, so it cannot be repeated. See session.steps().`,
      { message: messageId, step },
    );
  }
  return new Map(
    before.flatMap(({ role, step, calls }) =>
      calls.map((reply, call) => [placeKey({ role, step, call }), reply] as const),
    ),
  );
}

function placeKey({ role, step, call }: Pick<CallPlace, 'role' | 'step' | 'call'>): string {
  return JSON.stringify([role, step, call]);
}
