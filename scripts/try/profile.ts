import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The profile directory of a browser. */
export interface Profile {
  readonly directory: string;
  /** Removes it if it is temporary. */
  discard(): Promise<void>;
}

/** The user's directory; without one, a temporary directory. */
export async function openProfile(given: string | null): Promise<Profile> {
  if (given !== null) {
    const directory = resolve(given);
    await mkdir(directory, { recursive: true });
    return { directory, discard: () => Promise.resolve() };
  }
  const directory = await mkdtemp(join(tmpdir(), 'rolezero-try-'));
  // A browser that was just closed may still be writing.
  const discard = () => rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  return { directory, discard };
}
