import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { SessionExport } from '../../../src/core/store.js';
import type { Outcome } from './outcome.js';
import type { Seen } from './seen.js';

/** One session of the corpus. */
export interface RecordedSession {
  /** Its story, which is also the name of the session. */
  name: string;
  /** The job whose roles it needs. */
  job: string;
  document: SessionExport;
  /** Its visible state after import. */
  seen: Seen;
  /** Its outcome when it continues; null where nothing is left to do. */
  end: Outcome | null;
  /** It can be replayed: users only sent requests and answers. */
  plays: boolean;
}

/**
 * All in one file, one line each. Brotli with its largest window: the sessions are so similar that they compress to a
 * hundredth.
 */
export function writeSessions(file: string, sessions: readonly RecordedSession[]): void {
  const text = sessions.map((session) => `${JSON.stringify(session)}\n`).join('');
  const params = {
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  writeFileSync(file, brotliCompressSync(text, { params }));
}

export function readSessions(file: string): RecordedSession[] {
  const text = brotliDecompressSync(readFileSync(file)).toString();
  return text.split('\n').flatMap((line) => (line === '' ? [] : (JSON.parse(line) as RecordedSession)));
}
