/** A yes of the user that still holds. */
interface GrantedApproval {
  /** Identifies it for `revoke`. */
  id: string;
  /** Name of the role that may act. */
  role: string;
  /** What it may do, such as `open evil.test`. */
  text: string;
  /** Until the end of this run, or of the session. */
  lifetime: 'run' | 'session';
}

/** What the user has allowed the roles of a session to do. Answers for once are used up and not listed. */
export interface SessionApprovals {
  /** Returns what is allowed now. Empty after an import: an export contains no approvals. */
  list(): Promise<GrantedApproval[]>;
  /** Revokes one or more approvals: the user is asked again. Resolves when that is stored. Returns false when none of them holds. */
  revoke(ids: string | readonly string[]): Promise<boolean>;
}
