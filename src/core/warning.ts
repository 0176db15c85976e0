import type { ErrorCode } from './error.js';

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
