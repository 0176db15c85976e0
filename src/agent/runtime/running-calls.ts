import { RoleZeroError } from '../../core/error.js';

/** The commands of a session that run and can be canceled, by the ids of their calls. */
export class RunningCalls {
  readonly #cancel = new Map<string, () => void>();

  /** Adds a call until the returned function is called. `cancel` ends it. */
  add(callId: string, cancel: () => void): () => void {
    this.#cancel.set(callId, cancel);
    return () => this.#cancel.delete(callId);
  }

  /** @throws RoleZeroError `not-found` when no such command runs. */
  cancel(callId: string): void {
    const cancel = this.#cancel.get(callId);
    if (cancel === undefined)
      throw new RoleZeroError(
        'not-found',
        `No command with the call ${JSON.stringify(callId)} is running. The event \`command-start\` has the id.`,
        { callId },
      );
    cancel();
  }
}
