import type { ActionRequest, DialogPolicy } from './protocol.js';

/** The name under which the worker's half of the Browser tool calls the page's half. */
export const FRAME_PART = 'Browser.frame';

/** What a role's browser was the last time the worker heard of it: enough to open it again. */
export interface KnownTabs {
  /** The page half that had them; another one has to open them again. */
  instance: string;
  /** Addresses as they are shown. */
  tabs: string[];
  current: number;
}

/** What is to be done. `act` is for the driver of the current page. */
export type FrameAction =
  | { do: 'goto'; url: string }
  | { do: 'act'; request: Exclude<ActionRequest, { kind: 'upload' }> }
  /** Files of the session, for a file field. */
  | { do: 'upload'; element: string; paths: string[] }
  | { do: 'step'; by: 1 | -1 }
  | { do: 'focus'; tab: number }
  | { do: 'close' }
  | { do: 'look'; page: number }
  | { do: 'dialogs'; policy: DialogPolicy }
  | { do: 'console' }
  | { do: 'screenshot' };

/** Worker → page. */
export interface FrameRequest {
  /** Each role has a browser of its own. */
  role: string;
  action: FrameAction;
  known: KnownTabs | null;
  /** The newest view that the model has been told (`PageView.serial`): changes are told from there. */
  told: number;
  /** Characters of a view. */
  limit: number;
}

/** What a page shows, as text. */
export interface PageView {
  /** Grows with each view of a browser. */
  serial: number;
  text: string;
  page: number;
  pages: number;
  /** What differs from the view `told`, where that is shorter; null where it is not, or where another page stands there now. */
  changes: string | null;
}

/** A file that a page handed out; its name is the page's word. */
export interface Download {
  name: string;
  bytes: Uint8Array;
}

/** Page → worker. */
export interface FrameReply {
  instance: string;
  tabs: { url: string; title: string }[];
  current: number;
  /** The current tab shows nothing: no page was opened, or the last one was closed. */
  empty: boolean;
  /** What is shown was not made of the session's files alone. */
  outside: boolean;
  /** Files of the session that pages of this browser were given, now or before: any of them may be in what it shows. */
  given: string[];
  /** So many tabs were opened again, because this page half is not the one that had them. */
  restored: number;
  /** What the person at a browser would have seen happen: dialogs, new tabs, downloads, errors. */
  notices: string[];
  /** Files that the page handed out. */
  downloads: Download[];
  /** Null for `console`, and where there is nothing to see. */
  view: PageView | null;
  /** For `console`. */
  log: string[] | null;
  /** For `screenshot`: a PNG. */
  image: Uint8Array | null;
}
