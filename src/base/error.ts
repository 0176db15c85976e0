import { sentences } from './sentences.js';

/** What a caller may branch on. Every fault that leaves the library carries one of these. */
export type ErrorCode =
  | 'worker-start' // the worker's script did not load or never answered
  | 'worker-lost' // the worker died or was closed while something was pending
  | 'session-busy' // another tab or worker holds this session
  | 'session-fenced' // another writer took this session over; nothing more was written here
  | 'storage-unavailable' // IndexedDB cannot be opened at all
  | 'storage-blocked' // another connection holds an older version open
  | 'storage-version' // data written by a newer release
  | 'storage-full' // quota or disk
  | 'storage-lost' // the browser has thrown away all copies of a session
  | 'storage-closed' // the browser closed the connection
  | 'storage-corrupt' // a record does not have the shape it was written with
  | 'storage-failed' // any other failed read or write
  | 'model-request' // the model's server refused, broke off or sent what cannot be read
  | 'model-timeout' // no first byte, a stalled stream, or too long in all
  | 'model-unreachable' // no connection: offline, CORS, mixed content, nobody listening
  | 'model-load'
  | 'model-device-lost'
  | 'context-overflow' // the prompt cannot be made to fit the model's window
  | 'step-poisoned' // going on has ended the tab or the worker several times in a row
  | 'budget' // the run's money or tokens are spent
  | 'tool-input' // arguments do not fit a tool's schema
  | 'tool-timeout'
  | 'tool-failed'
  | 'permission' // refused by policy, by the person or by the path jail
  | 'not-found'
  | 'inbox-full' // too many messages wait for a role that does not come to them
  | 'conflict' // somebody else's change is in the way, and would be lost
  | 'invalid' // a value handed to the library is not acceptable
  | 'aborted'
  | 'internal';

/** An error as plain data, for wires and stores. */
export interface ErrorData {
  code: ErrorCode;
  message: string;
  detail?: Record<string, unknown>;
  cause?: string;
}

/**
 * The one error class of the library: a `code` to branch on, a sentence to act on, the data at hand, the cause.
 *
 * @example new RoleZeroError('not-found', 'There is no file /a.txt.', { path: '/a.txt' })
 */
export class RoleZeroError extends Error {
  override readonly name = 'RoleZeroError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    /** What was at hand when it happened; plain data. */
    readonly detail: Record<string, unknown> = {},
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
  }

  toData(): ErrorData {
    return {
      code: this.code,
      message: this.message,
      detail: plain(this.detail),
      ...(this.cause === undefined ? {} : { cause: describe(this.cause) }),
    };
  }

  static fromData(data: ErrorData): RoleZeroError {
    const cause = data.cause === undefined ? undefined : new Error(data.cause);
    return new RoleZeroError(data.code, data.message, data.detail ?? {}, cause);
  }
}

/** The error itself if it is ours, an `aborted` one for an abort, else the given code around it. */
export function toRoleZeroError(error: unknown, code: ErrorCode = 'internal'): RoleZeroError {
  if (error instanceof RoleZeroError) return error;
  if (isAbort(error)) return new RoleZeroError('aborted', 'Stopped.', {}, error);
  return new RoleZeroError(code, describe(error), {}, error);
}

/** True for the error that a signal's abort raises, ours or the platform's. */
export function isAbort(error: unknown): boolean {
  if (error instanceof RoleZeroError) return error.code === 'aborted';
  return error instanceof Error && error.name === 'AbortError';
}

/** One line about any thrown value. */
export function describe(error: unknown): string {
  if (error instanceof Error) return error.message === '' ? error.name : error.message;
  return typeof error === 'string' ? error : JSON.stringify(error);
}

/** The same as `describe`, with a full stop where it has none, so that another sentence can follow. */
export function describeAsSentence(error: unknown): string {
  return sentences(describe(error));
}

function plain(detail: Record<string, unknown>): Record<string, unknown> {
  try {
    return structuredClone(detail);
  } catch {
    return JSON.parse(JSON.stringify(detail)) as Record<string, unknown>; // functions and handles are left out
  }
}
