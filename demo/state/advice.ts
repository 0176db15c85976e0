import type { ErrorCode } from 'rolezero';

/** What a person can do about an error, in one sentence; empty when its message says it all. */
const ADVICE: Partial<Record<ErrorCode, string>> = {
  'model-request':
    'Check address, model name and key in the settings, then continue: nothing that was done is lost.',
  'model-unreachable':
    'Start the server or correct its address in the settings, then continue: nothing is lost.',
  'model-timeout': 'The server takes very long. Continue to ask it again, or choose a smaller model.',
  'context-overflow':
    'Give the context window the server really has in the settings, or choose a larger model.',
  'session-busy':
    'This session is open in another tab. Go on there, close that tab, or start another session here.',
  'session-fenced': 'The session goes on in another tab. Reload this page to take it back.',
  'storage-unavailable':
    'This browser lets the page store nothing (a private window, or a setting). Allow site data and reload.',
  'storage-full':
    'The disk or this site’s share of it is full. Remove sessions you no longer need, then continue.',
  'storage-blocked': 'Another tab holds an older version of the data. Close it and reload.',
  'storage-version': 'The data was written by a newer release. Reload the page to get it.',
  'storage-corrupt': 'A stored record cannot be read. Other sessions are not affected.',
  'worker-start': 'Reload the page. If that does not help, its files could not be loaded completely.',
  'worker-lost':
    'The agent’s worker ended, for want of memory perhaps. Reload: the run continues where it was.',
  budget: 'The limit set for this run is spent.',
  internal: 'This is a fault of the program. Reload: what was done is kept.',
};

export function adviceFor(code: string): string {
  return ADVICE[code as ErrorCode] ?? '';
}
