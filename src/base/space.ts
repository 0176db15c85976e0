/** Bytes that the data of this site take, all together, and how many they may take, as the browser tells. */
export interface StorageUsage {
  usage: number;
  quota: number;
}

/** What a session could let go of to make room. Nothing of it goes by itself. */
export interface Freeable {
  /** Older memories that are not pinned, of all roles: those that `memory.archive` takes. Pinned ones stay. */
  memories: {
    count: number;
    /** Of their contents; with what finds them they take a few times as many bytes. */
    characters: number;
    /** When the oldest left the window, in milliseconds since 1970; null when there is none. */
    oldest: number | null;
    pinned: number;
  };
  /** What `files.forgetHistory` lets go of: it is kept to undo changes. */
  history: {
    entries: number;
    /** Of earlier contents. */
    bytes: number;
  };
}

/** The room there is, and what could go. */
export interface SessionSpace extends Freeable {
  /** Null where the browser does not tell. */
  storage: StorageUsage | null;
}

/** The share of the quota, and the bytes, of which less than both are left when it is nearly full. */
const SHARE = 1 / 10;
const BYTES = 200_000_000;

/** Whether the room nears its end: less than a tenth of the quota is left, and less than 200 MB. */
export function isNearlyFull({ usage, quota }: StorageUsage): boolean {
  return quota - usage < Math.min(SHARE * quota, BYTES);
}
