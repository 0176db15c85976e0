import type { FrameReply } from './frame-protocol.js';

/** Returns the address of the active tab. */
export function activeUrl({ tabs, current }: FrameReply): string {
  return tabs[current]?.url ?? '';
}

/** Returns the output common to all actions, followed by notes on other events. */
export function success(reply: FrameReply): string {
  return [`SUCCESS, URL: ${activeUrl(reply)} have been loaded.`, ...notesOf(reply)].join('\n');
}

/** Returns one line per additional event: lost tabs, notices of the page, other open tabs. */
export function notesOf({ notices, restored, tabs, current }: FrameReply): string[] {
  const lost =
    restored === 0
      ? []
      : [
          `The browser was restarted and ${restored === 1 ? 'its page was' : `its ${restored} pages were`} opened again at the same address: what was typed, clicked or scrolled there before is lost.`,
        ];
  const others =
    tabs.length > 1
      ? [
          `Tabs: ${tabs.map(({ url }, index) => `${index}${index === current ? ' (in front)' : ''} ${url}`).join(', ')}`,
        ]
      : [];
  return [...lost, ...notices, ...others];
}
