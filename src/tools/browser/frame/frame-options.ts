import type { PageReader } from './sources.js';

/** Where pages are shown, and what they may reach. */
export interface FrameOptions {
  /** Shows the pages; it should have a size and `position: relative`. Default: they are there, and nobody sees them. */
  element?: HTMLElement;
  /**
   * Gives pages of the web, which a page cannot read by itself: through a proxy or a reader service of yours. They are shown like the
   * session's own files, without an origin. Default: pages of the web can only be looked at, by the person.
   */
  read?: PageReader;
  /** Origins that pages may reach by themselves, such as `https://cdn.example`: what a page was given can be sent there. Default: none. */
  network?: readonly string[];
  /**
   * Where `page-frame.html` of this package is served, for applications whose own Content-Security-Policy allows no inline scripts: it must
   * be served without that policy. Default: frames are made of text.
   */
  frameUrl?: string | URL;
  /**
   * Milliseconds without any change after which a page counts as quiet, and what a command led to is looked at; ten seconds are waited at
   * most. Default: 500.
   */
  quiet?: number;
}
