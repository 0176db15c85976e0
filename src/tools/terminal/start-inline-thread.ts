import { source } from './shell-worker-inline.js';

let url: string | undefined;

/** The shell's worker from text. */
export function threadFromText(): Worker {
  url ??= URL.createObjectURL(new Blob([source], { type: 'text/javascript' })); // one for all, so it is not revoked
  return new Worker(url, { type: 'module' });
}
