import type { FrameReply } from './frame-protocol.js';

/** Returns the address of the tab in front. */
export function urlOf({ tabs, current }: FrameReply): string {
  return tabs[current]?.url ?? '';
}

/** Returns what every action answers, and what else happened. */
export function success(reply: FrameReply): string {
  return [`SUCCESS, URL: ${urlOf(reply)} have been loaded.`, ...notesOf(reply)].join('\n');
}

/** Returns a line for each thing that happened besides the action: lost tabs, notices of the page, other open tabs. */
export function notesOf({ notices, restored, tabs, current }: FrameReply): string[] {
  const lost =
    restored === 0
      ? []
      : [
          `The browser was started anew and ${restored === 1 ? 'its page was' : `its ${restored} pages were`} opened again at the same address: what was typed, clicked or scrolled there before is lost.`,
        ];
  const others =
    tabs.length > 1
      ? [
          `Tabs: ${tabs.map(({ url }, index) => `${index}${index === current ? ' (in front)' : ''} ${url}`).join(', ')}`,
        ]
      : [];
  return [...lost, ...notices, ...others];
}
