/**
 * What a role may do outside of its session, and which files it may write. Fixed when the role is created. Without capabilities, only the
 * tools set limits, and the role asks only after it has read untrusted content. With them, everything that is not listed is denied, and
 * the rule of two always applies (see `ruleOfTwo`).
 *
 * @example { outside: ['Browser.*', 'Mail.send'], origins: ['https://*.example.org'] }
 */
export interface Capabilities {
  /** Commands with an outside effect, as in `tool` of a rule. @default none */
  outside?: readonly string[];
  /**
   * Origins that commands may reach, as in `origin` of a rule. Private hosts must be written in full. Incomplete addresses such as
   * `example.org/page` are denied.
   *
   * @default none
   */
  origins?: readonly string[];
  /** Files that may be written or removed, as in `path` of a rule. @default all */
  write?: readonly string[];
}
