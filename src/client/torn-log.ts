import { beginNewLog } from '../core/new-log.js';

/** Name of an empty database that exists for a few milliseconds. */
const DATABASE = 'rolezero-repair';
/** Key of the time at which this tab last left a page that had repaired the log, or had followed one that had. */
const LEFT = 'rolezero-repaired';
/** Milliseconds: too short for a browser to be closed and started again. */
const FOLLOWS = 10_000;

/** Time limit in milliseconds. Where databases do not respond at all, opening the session reports it. */
const AT_MOST = 2_000;

let repaired: Promise<void> | null = null;

/**
 * Repairs a truncated write-ahead log of the databases of this origin, once per page. Chromium stores all of them in one LevelDB. When it
 * crashes during a write, or the power fails, a truncated record remains. At the next start LevelDB appends after it. At the start after
 * that it skips some of what was written there, or finds its log corrupt. Chromium then deletes all databases of the origin. This starts a
 * new log and removes the old one.
 *
 * No page can detect reliably how the browser ended. The repair takes some milliseconds in parallel with the start of the worker. It
 * therefore runs unless this page directly follows another one in its tab, as after a reload. Nothing should be written before it is over.
 * It never rejects.
 */
export function repairTornLog(): Promise<void> {
  return (repaired ??= new Promise((resolve) => {
    const late = setTimeout(resolve, AT_MOST);
    const end = (): void => {
      clearTimeout(late);
      resolve();
    };
    repair().then(end, end); // nothing to repair where storage is denied; opening the session reports other storage errors
  }));
}

async function repair(): Promise<void> {
  const left = Number(sessionStorage.getItem(LEFT)); // 0 where there is none
  sessionStorage.removeItem(LEFT); // otherwise a tab restored after a crash would still have it
  addEventListener('pagehide', noteLeaving);
  // All browsers with Chromium's storage have this name in the user agent. Others do not use LevelDB, or lack this bug.
  if (Date.now() - left < FOLLOWS || !navigator.userAgent.includes('Chrome/')) return;
  await beginNewLog(DATABASE);
}

function noteLeaving(): void {
  try {
    sessionStorage.setItem(LEFT, String(Date.now()));
  } catch {
    // The storage is full: the next page repairs the log again.
  }
}
