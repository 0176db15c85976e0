/** What happened to a change: `unknown` while its call is in progress, and for good when its worker died meanwhile. */
export type Fate = 'unknown' | 'stored' | 'rejected';

/** The reference model of one session: what its calls have promised. */
export interface Facts {
  /** By number of the job. */
  requests: Map<number, Fate>;
  /** Files with a name and content of their own, which nothing else changes, and whether they must exist. */
  files: Map<string, { content: string; fate: Fate }>;
  /** Notes of the user by text. */
  notes: Map<string, Fate>;
  /** Texts of notes that were removed for good. */
  removedNotes: Set<string>;
  /** Ids of messages that were removed for good. */
  forgotten: Set<string>;
  /** Messages may be missing: some were forgotten or archived, or their requests abandoned. */
  mayLackRequests: boolean;
  /** Model calls that were stored at the last check. */
  calls: number;
}

export function newFacts(): Facts {
  return {
    requests: new Map(),
    files: new Map(),
    notes: new Map(),
    removedNotes: new Set(),
    forgotten: new Set(),
    mayLackRequests: false,
    calls: 0,
  };
}

/** What is known of a copy that was made at rest. */
export function copied(facts: Facts): Facts {
  return structuredClone(facts);
}
