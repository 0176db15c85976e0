interface Row {
  key: string;
  value: unknown;
}

/** What the state of a role is restored from. */
export interface RoleSnapshot {
  state: unknown;
  /** The record of `approvalsKey`; undefined when there is none. */
  approvals: unknown;
  tools: readonly Row[];
  inbox: readonly Row[];
}

/** What the memory of a role is restored from. */
export interface MemorySnapshot {
  messages: readonly Row[];
  turns: readonly Row[];
}
