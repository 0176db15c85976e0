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
  /**
   * Sites that the agent may use as the person who is signed in there: origins such as `https://shop.example`, or a part of one,
   * `https://shop.example/help/`. They are opened at their own address, never through `read`, and driven where their pages carry the driver
   * of `rolezero/tools/frame/driver` and name this application. Other sites that carry it are driven as well, without cookies, unless there
   * is a `read`. Pages of your own origin are driven only where they are named here, with or without the driver: what stands there has your
   * application's storage and keys, so name only what nobody but you can write, as narrow as it can be. Default: none.
   */
  drive?: readonly string[];
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
