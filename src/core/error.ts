/** Error code that a caller may branch on. Every error that leaves the library carries one. */
export type ErrorCode =
  | 'worker-start' // the worker's script did not load or never answered
  | 'worker-lost' // the worker died or was closed while something was pending
  | 'interrupted' // the worker was lost during a call that may have changed something; a new one continues the session
  | 'session-busy' // another tab or worker holds this session
  | 'session-fenced' // another writer took this session over; nothing further was written here
  | 'storage-unavailable' // IndexedDB cannot be opened at all
  | 'storage-blocked' // another connection holds an older version open
  | 'storage-version' // data written by a newer release
  | 'storage-full' // quota or disk
  | 'storage-lost' // the browser deleted all copies of a session
  | 'storage-closed' // the browser closed the connection
  | 'storage-corrupt' // a record does not have the shape it was written with
  | 'storage-failed' // any other failed read or write
  | 'model-request' // the model's server refused, disconnected or sent invalid data
  | 'model-timeout' // no first byte, a stalled stream, or too long in all
  | 'model-unreachable' // no connection: offline, CORS, mixed content, no server
  | 'model-load'
  | 'model-device-lost'
  | 'context-overflow' // the prompt cannot be made to fit the model's window
  | 'step-poisoned' // resuming crashed the tab or the worker several times in a row
  | 'budget' // the money or token budget of the run is spent
  | 'output-invalid' // no typed answer fits its schema
  | 'tool-input' // arguments do not fit a tool's schema
  | 'tool-timeout'
  | 'tool-failed'
  | 'permission' // denied by policy, by the user or by the path jail
  | 'not-found'
  | 'inbox-full' // too many messages wait for a role that does not process them
  | 'conflict' // a change by someone else is in the way, and would be lost
  | 'invalid' // a value passed to the library is not acceptable
  | 'aborted'
  | 'internal';

/** Codes of errors that are results which the model reads. All others end the run. */
const OBSERVED =
  'worker-start step-poisoned tool-input tool-timeout tool-failed permission not-found inbox-full conflict invalid internal'.split(
    ' ',
  );

/** An error as plain data, to send or to store. */
export interface ErrorData {
  code: ErrorCode;
  message: string;
  detail?: Record<string, unknown>;
  cause?: string;
}

/**
 * The only error class of the library: a `code` to branch on, a message that says what to do, details, and the cause.
 *
 * @example new RoleZeroError('not-found', 'There is no file /a.txt.', { path: '/a.txt' })
 */
export class RoleZeroError extends Error {
  override readonly name = 'RoleZeroError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    /** Details of the situation; plain data. */
    readonly detail: Record<string, unknown> = {},
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
  }

  /** True for errors of model, storage, session, or worker, for a spent budget, and for a stop. Others are results that the model reads. */
  get endsRun(): boolean {
    return !OBSERVED.includes(this.code);
  }

  toData(): ErrorData {
    return {
      code: this.code,
      message: this.message,
      detail: plainDetail(this.detail),
      ...(this.cause === undefined ? {} : { cause: describe(this.cause) }),
    };
  }

  static fromData(data: ErrorData): RoleZeroError {
    const cause = data.cause === undefined ? undefined : new Error(data.cause);
    return new RoleZeroError(data.code, data.message, data.detail ?? {}, cause);
  }
}

/** Returns a `RoleZeroError` unchanged, an `aborted` error for an abort, and wraps anything else with the given code. */
export function toRoleZeroError(error: unknown, code: ErrorCode = 'internal'): RoleZeroError {
  if (error instanceof RoleZeroError) return error;
  if (isAbort(error)) return new RoleZeroError('aborted', 'Stopped.', {}, error);
  return new RoleZeroError(code, describe(error), {}, error);
}

/** Returns whether the error was raised by the abort of a signal, by the library or by the platform. */
export function isAbort(error: unknown): boolean {
  if (error instanceof RoleZeroError) return error.code === 'aborted';
  return error instanceof Error && error.name === 'AbortError';
}

/** Creates the error of work that a signal has stopped. */
export function stoppedError({ reason }: Pick<AbortSignal, 'reason'>): RoleZeroError {
  return new RoleZeroError('aborted', 'Stopped.', {}, reason);
}

/** @throws RoleZeroError `aborted` when the signal has aborted. */
export function throwIfStopped(signal: AbortSignal): void {
  if (signal.aborted) throw stoppedError(signal);
}

/** Describes any thrown value in one line. */
export function describe(error: unknown): string {
  if (error instanceof Error) return error.message === '' ? error.name : error.message;
  return typeof error === 'string' ? error : JSON.stringify(error);
}

/** Like `describe`, with a full stop added if it is missing, so that another sentence can follow. */
export function describeAsSentence(error: unknown): string {
  return sentences(describe(error));
}

function plainDetail(detail: Record<string, unknown>): Record<string, unknown> {
  try {
    return structuredClone(detail);
  } catch {
    return JSON.parse(JSON.stringify(detail)) as Record<string, unknown>; // functions and handles are left out
  }
}

/** Joins texts into sentences. Adds a full stop to each text without final punctuation. Skips empty texts. */
export function sentences(...texts: readonly string[]): string {
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => (/[.!?…。！？]["'”’)\]]*$/.test(text) ? text : `${text}.`))
    .join(' ');
}

/** Code of a `warning` event. The work continues after each of them. */
export type WarningCode =
  | 'storage-low' // the disk space for this site is nearly used up
  | 'storage-restored' // the browser lost the session or its newest changes; they were restored from the replica
  | 'storage-rolled-back' // the browser lost the newest changes, and no copy of them exists
  | 'storage-copy' // the replica of the session cannot be written
  | 'insecure-context' // the page is on a plain http:// address: the browser leaves out Web Locks, the replica and more
  | 'images-unseen' // the model does not see the images of a request
  | 'worker-restarted' // the worker was lost, and a new one continues from the stored state
  | 'dead-letter' // a message between roles could not be delivered
  | 'plan' // only the first task of a plan, or the first commands of a reply, were accepted; the others were left out
  | ErrorCode; // an error that the work continues after, such as a broken stream that is requested again
