import { RoleZeroError } from './error.js';

/** Total bytes used by the data of this site, and the limit, as the browser reports them. */
export interface StorageUsage {
  usage: number;
  quota: number;
}

/** Data that a session could remove to free space. None of it is removed automatically. */
export interface Freeable {
  /** Older memories of all roles that are not pinned, which `memory.archive` can remove. Pinned ones remain. */
  memories: {
    count: number;
    /** Length of their contents. With the search indexes they take several times as many bytes. */
    characters: number;
    /** Time at which the oldest left the window, in milliseconds since 1970; null when there is none. */
    oldest: number | null;
    pinned: number;
  };
  /** Undo data that `files.forgetHistory` removes. */
  history: {
    entries: number;
    /** Size of earlier contents. */
    bytes: number;
  };
}

/** The available storage, and what could be removed. */
export interface SessionSpace extends Freeable {
  /** Null where the browser does not report it. */
  storage: StorageUsage | null;
}

/** Storage is nearly full when less than this share of the quota and less than this many bytes are left. */
const MIN_SHARE_LEFT = 1 / 10;
const MIN_BYTES_LEFT = 200_000_000;

/** Returns whether storage is nearly full: less than a tenth of the quota and less than 200 MB are left. */
export function isNearlyFull({ usage, quota }: StorageUsage): boolean {
  return quota - usage < Math.min(MIN_SHARE_LEFT * quota, MIN_BYTES_LEFT);
}

export const FULL = "The disk or this site's storage quota is full.";
export const HOW_TO_FREE =
  'To free space, call memory.archive(), memory.forget(), files.forgetHistory() or files.remove() of an open session, or sessions.remove() for one that is not open; sessions.export() saves a copy first.';

/** Returns whether something could not be stored for lack of space. */
export function isFull(error: unknown): boolean {
  return error instanceof RoleZeroError && error.code === 'storage-full';
}

/** Like `isFull`, and true when the browser closed the database: LevelDB does that on a completely full disk. */
export function mayLackSpace(error: unknown): boolean {
  return isFull(error) || (error instanceof RoleZeroError && error.code === 'storage-closed');
}

/** A change of a session that is read-only for lack of space. */
export function readOnlyForLackOfSpace(name: string, cause?: unknown): RoleZeroError {
  return new RoleZeroError(
    'storage-full',
    `${FULL} Session '${name}' is read-only until there is room. ${HOW_TO_FREE}`,
    { name, readOnly: true },
    cause,
  );
}
