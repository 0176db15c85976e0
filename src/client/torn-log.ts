import { beginNewLog } from '../base/new-log.js';

/** Has no stores, and is there for a few milliseconds. */
const DATABASE = 'rolezero-mend';
/** When this tab was last left by a page that had mended, or had followed one that had. */
const LEFT = 'rolezero-mended';
/** Milliseconds in which nobody ends a browser and starts it again. */
const FOLLOWS = 10_000;

/** Milliseconds that it may take; where databases do not answer at all, opening the session tells. */
const AT_MOST = 2_000;

let mended: Promise<void> | null = null;

/**
 * Rids the databases of this origin of a torn end of their log, once a page. Chromium keeps them all in one LevelDB. One that dies while it
 * writes, or loses its power, leaves half a record behind; at the next start LevelDB writes on after it, and at the start after that it
 * leaves out some of what was written there, or finds its log corrupt, and Chromium throws all databases of the origin away. Here a new
 * log is begun, and the old one removed.
 *
 * No page can tell for sure how the browser ended, and the cure takes some milliseconds beside the start of the worker: so it is taken unless
 * this page follows another one in its tab at once, as after a reload. Nothing should be written before it is over; it works or it does not.
 */
export function mendTornLog(): Promise<void> {
  return (mended ??= new Promise((resolve) => {
    const late = setTimeout(resolve, AT_MOST);
    const end = (): void => {
      clearTimeout(late);
      resolve();
    };
    mend().then(end, end); // where storage is denied there is nothing to mend; of what is out of order, opening the session tells
  }));
}

async function mend(): Promise<void> {
  const left = Number(sessionStorage.getItem(LEFT)); // 0 where there is none
  sessionStorage.removeItem(LEFT); // or a tab that is restored after a crash would have it still
  addEventListener('pagehide', noteLeaving);
  // All that have Chromium's storage call themselves so; others have no LevelDB, or not this fault.
  if (Date.now() - left < FOLLOWS || !navigator.userAgent.includes('Chrome/')) return;
  await beginNewLog(DATABASE);
}

function noteLeaving(): void {
  try {
    sessionStorage.setItem(LEFT, String(Date.now()));
  } catch {
    // it is full: the next page mends once more
  }
}
