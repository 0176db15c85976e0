/**
 * What a role may do beyond its session and to whose files; given when it is made, and never changed. A role without any is bounded by
 * its tools alone, and asks only once it has read what comes from outside; with them, whatever is not named here is refused, and the rule
 * of two is followed in full (see `ruleOfTwo`).
 *
 * @example { outside: ['Browser.*', 'Mail.send'], origins: ['https://*.example.org'] }
 */
export interface Capabilities {
  /** Commands whose effect leaves the session, as `tool` of a rule; default none. */
  outside?: readonly string[];
  /**
   * Origins that commands may reach which name an address, as `origin` of a rule; private hosts only when they are written in full. An
   * address has to be whole: `example.org/page` may be anybody's. Default none.
   */
  origins?: readonly string[];
  /** Files that may be written or removed, as `path` of a rule; default all. */
  write?: readonly string[];
}
