import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { SessionExport } from '../../../src/core/store.js';
import type { Outcome } from './outcome.js';
import type { Seen } from './seen.js';

/** One session of the corpus. */
export interface RecordedSession {
  /** How it came to be; the name of the session, too. */
  name: string;
  /** Whose roles it needs. */
  job: string;
  document: SessionExport;
  /** What is seen of it where it was imported. */
  seen: Seen;
  /** What its work comes to when it continues; null where nothing is left to be done. */
  end: Outcome | null;
  /** It can be played back from its record: users did nothing else than speak and answer. */
  plays: boolean;
}

/** All in one file, a line each. Brotli with its largest window: one session is much like the next, and a hundredth is left of it. */
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
