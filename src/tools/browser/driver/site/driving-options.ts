/** Options for which applications may drive a site's pages. */
export interface DrivingOptions {
  /**
   * Complete origins of the applications that may see these pages and act with the user's rights: `https://agent.example`. Wildcards are
   * not supported. In a frame of any other origin, nothing happens.
   */
  origins: readonly string[];
}
