/** What happened to a change: `unknown` while its call is in progress, and for good when its worker died meanwhile. */
export type Fate = 'unknown' | 'stored' | 'rejected';

/** A file with a name and content of its own, which only an undo changes. */
export interface OwnFile {
  content: string;
  fate: Fate;
  /**
   * Undos that may have removed or restored it. Counted apart from its fate, because an undo can be called while the write is in
   * progress: the write then settles last, and its file is absent all the same.
   */
  undos: number;
}

/** The reference model of one session: what its calls have promised. */
export interface Facts {
  /** By number of the job. */
  requests: Map<number, Fate>;
  /** By path. */
  files: Map<string, OwnFile>;
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
  /** Number of requests before the data of the site was cleared: what they did outside remains. */
  clearedRequests: number;
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
    clearedRequests: 0,
  };
}

/** What is known of a copy that was made at rest. */
export function copied(facts: Facts): Facts {
  return structuredClone(facts);
}
