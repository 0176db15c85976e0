import type { DialogPolicy } from '../../protocol.js';
import type { FrameLinks } from '../frame-links.js';
import type { ElementIds } from '../ids.js';
import { listen } from '../natives.js';
import { type Drive, readHere } from './handshake.js';

const MOST_WAITING = 50;

interface FrameSettings {
  ids: ElementIds;
  /** Returns the prefix of this page's ids. */
  prefix: () => string;
  dialogs: () => DialogPolicy;
  quiet: () => number;
}

/**
 * Connects frames of a driven page whose documents also include the driver. Announcements are queued until the page itself is driven.
 * Returns the function that starts connecting.
 */
export function linkFrames(links: FrameLinks, { ids, prefix, dialogs, quiet }: FrameSettings): () => void {
  let waiting: MessageEvent<unknown>[] | null = [];
  const link = ({ source, origin }: MessageEvent<unknown>): void => {
    const frame = [...document.querySelectorAll('iframe')].find((each) => each.contentWindow === source);
    if (frame === undefined) return;
    const drive: Drive = {
      rolezero: 'drive',
      firstId: ids.next,
      dialogs: origin === location.origin ? dialogs() : { ...dialogs(), text: null },
      quiet: quiet(),
      prefix: `${prefix()}${ids.of(frame)}.`,
    };
    frame.contentWindow?.postMessage(drive, origin, [links.connect(frame)]);
  };
  listen(window, 'message', ((event: MessageEvent<unknown>) => {
    if (readHere(event.data) === null) return;
    if (waiting === null) link(event);
    else if (waiting.length < MOST_WAITING) waiting.push(event);
  }) as EventListener);
  return () => {
    const came = waiting ?? [];
    waiting = null;
    for (const event of came) link(event);
  };
}
