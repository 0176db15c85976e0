import { source } from './shell-worker-inline.js';

let url: string | undefined;

/** Starts the shell's worker from text. */
export function threadFromText(): Worker {
  url ??= URL.createObjectURL(new Blob([source], { type: 'text/javascript' })); // shared by all workers, so it is not revoked
  return new Worker(url, { type: 'module' });
}
