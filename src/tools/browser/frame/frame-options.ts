import type { PageReader } from './sources.js';

/** Options for displaying pages and for their network access. */
export interface FrameOptions {
  /**
   * Container for the pages. It should have a size and `position: relative`. Without it, pages are rendered but not visible.
   */
  element?: HTMLElement;
  /**
   * Loads web pages, which a page cannot read itself, for example through your own proxy or reader service. Loaded pages are shown without
   * an origin, like session files. Without a reader, the user can view web pages, but the agent cannot read them.
   */
  read?: PageReader;
  /**
   * Sites that the agent may use with the account of the signed-in user. Each entry is an origin such as `https://shop.example`, or a part
   * of one: `https://shop.example/help/`. These sites open at their own address, never through `read`. They are driven if their pages
   * include the driver of `rolezero/tools/frame/driver` and name this application.
   *
   * Other sites that include the driver are also driven, but without cookies, and only if `read` is not set.
   *
   * Pages of your own origin are driven only if they are listed here, with or without the driver. Such pages can access your application's
   * storage and keys. List only paths whose content you alone can write, as narrowly as possible.
   *
   * @default []
   */
  drive?: readonly string[];
  /**
   * Origins that pages may access directly, such as `https://cdn.example`. A page can send everything it received to these origins.
   *
   * @default []
   */
  network?: readonly string[];
  /**
   * URL of `page-frame.html` of this package. Set it if the Content-Security-Policy of your application forbids inline scripts. The file
   * must be served without that policy.
   * Without it, frames are created from text, and WebKit (Safari) does not show the frames within a page.
   */
  frameUrl?: string | URL;
  /**
   * Milliseconds without changes after which a page counts as quiet. The result of a command is then read, after at most 10 seconds.
   *
   * @default 500
   */
  quiet?: number;
  /**
   * Milliseconds that a page of session files or of `read` has until its first scripts have run. The command that opens a page fails after 60
   * seconds in any case.
   *
   * @default 10_000
   */
  loadTimeoutMs?: number;
}
