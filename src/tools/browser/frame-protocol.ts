import type { ActionRequest, DialogPolicy, PickResult } from './protocol.js';

/** Name under which the worker side of the Browser tool calls the page side. */
export const FRAME_PART = 'Browser.frame';

/** Last browser state that the worker received for a role: enough to reopen the browser. */
export interface KnownTabs {
  /** Page-side instance that had the tabs. Any other instance must reopen them. */
  instance: string;
  /** Addresses as displayed. */
  tabs: string[];
  current: number;
}

/** Action to perform. `act` goes to the driver of the current page. */
export type FrameAction =
  /** `scrollTop`: pixels to scroll down, as of the page that this one replaces. */
  | { do: 'goto'; url: string; scrollTop?: number }
  | { do: 'act'; request: Exclude<ActionRequest, { kind: 'upload' }> }
  /** Session files for a file field. */
  | { do: 'upload'; element: string; paths: string[] }
  | { do: 'step'; by: 1 | -1 }
  /** Opens the address `FrameReply.leadsTo` of the last reply. */
  | { do: 'follow' }
  | { do: 'focus'; tab: number }
  | { do: 'close' }
  | { do: 'look'; page: number }
  /** Waits until the text is on the page (`gone`: no longer on it), for at most `within` milliseconds. */
  | { do: 'wait'; text: string; gone: boolean; within: number }
  /** Observes the page for `duration` milliseconds. */
  | { do: 'watch'; duration: number }
  | { do: 'dialogs'; policy: DialogPolicy }
  | { do: 'console' }
  | { do: 'screenshot'; element?: string }
  /** Lets the user point at an element. For the page side only. */
  | { do: 'pick'; step: 'start' | 'read' | 'stop' };

/** Message from worker to page. */
export interface FrameRequest {
  /** Name of the role. Each role has its own browser. */
  role: string;
  action: FrameAction;
  known: KnownTabs | null;
  /** Serial of the newest view that the model received (`PageView.serial`). Changes are reported relative to it. */
  since: number;
  /** Maximum characters of a view. */
  limit: number;
  /** See `ToolContext.exposed`. Open pages of session files may then load nothing more. */
  exposed: boolean;
  /** Set if the user was asked about the action: see `ActionRequest`. */
  approved?: string;
}

/** Content of a page as text. */
export interface PageView {
  /** Increases with each view of a browser. */
  serial: number;
  text: string;
  page: number;
  pages: number;
  /** Difference from the view `since`. Null if it is not shorter than the view, or if the tab now shows another page. */
  changes: string | null;
  /** Pixels that the page is scrolled down. Only for the page side. */
  scrollTop?: number;
}

/** File that a page offered for download. The page chose the name, so it is untrusted. */
export interface Download {
  name: string;
  bytes: Uint8Array;
}

/** Message from page to worker. */
export interface FrameReply {
  instance: string;
  tabs: { url: string; title: string }[];
  current: number;
  /** The current tab shows nothing: no page was opened, or the last page was closed. */
  empty: boolean;
  /** The content does not come from session files alone. */
  outside: boolean;
  /**
   * Address of another origin to which the page leads by a link, a script or a redirect. It opens only with the action `follow`, because
   * the policy has to allow it. Null without such a lead.
   */
  leadsTo: string | null;
  /** Session files that pages of this browser received, now or earlier. The view may contain content of any of them. */
  given: string[];
  /** Number of reopened tabs. Tabs are reopened if this page-side instance did not have them. */
  restored: number;
  /** Events that a user at a browser would have noticed: dialogs, new tabs, downloads, errors. */
  notices: string[];
  /** Files that the page offered for download. */
  downloads: Download[];
  /** Null for `console`, and if there is nothing to show. */
  view: PageView | null;
  /** Console lines, for `console` only. */
  log: string[] | null;
  /** Number of console lines that pages before the shown one have written. */
  logStart: number;
  /** PNG image, for `screenshot` only. */
  image: Uint8Array | null;
  /** For `pick` only. */
  pick?: PickResult;
}
