interface Row {
  key: string;
  value: unknown;
}

/** What a role is restored from. */
export interface RoleSnapshot {
  state: unknown;
  /** The record of `approvalsKey`; undefined when there is none. */
  approvals: unknown;
  tools: readonly Row[];
  messages: readonly Row[];
  turns: readonly Row[];
  inbox: readonly Row[];
}
