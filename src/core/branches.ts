/** Options for going back in a conversation. */
export interface RewindOptions {
  /**
   * Goes back although some files cannot be restored: their content is no longer stored, or the user has changed the same lines since the
   * conversation went back. These stay as they are, and are named in the result. Without it, such a call rejects with `conflict` and changes
   * nothing.
   */
  partly?: boolean;
}

/** Options for sending a request again. */
export interface RegenerateOptions extends RewindOptions {
  /**
   * Repeats the replies of the steps before this one, see `StepTrace.step`, and asks the model from this step on. Their commands run again,
   * also those with effects outside the session; the user is asked again. As soon as the work differs, and after a crash of the worker, the
   * model is asked.
   *
   * @default 0
   */
  fromStep?: number;
}

/** A file that stayed as it is, although it should have changed, with the reason. */
export interface LeftFile {
  path: string;
  why: string;
}

/** What changed when a conversation went back, or to another branch. */
export interface RewindResult {
  /** Id of the branch that now holds what was left; null when nothing was. */
  branch: string | null;
  /** Changed files, sorted. */
  files: string[];
  /** Files that stayed as they are. */
  conflicts: LeftFile[];
  /** Commands with an effect outside the session in what was left: these effects remain. */
  effects: string[];
}

/** A part of the conversation that was left: it begins with a request which another one may have replaced. */
export interface Branch {
  id: string;
  /** Its first request. */
  messageId: string;
  text: string;
  /** When that was sent, and when the branch was left, in milliseconds since 1970. */
  sentAt: number;
  leftAt: number;
  /** Id of the request that replaces it now; null for none. */
  instead: string | null;
  /** When that one was sent. */
  insteadAt: number | null;
  /** Id of the branch that it is part of; null when it is part of the present conversation. */
  parent: string | null;
}

/** The branches of a conversation, which `rewind` and `regenerate` leave behind. */
export interface SessionBranches {
  /** Returns all branches, the one that was sent first at first. */
  list(): Promise<Branch[]>;
  /**
   * Returns to a branch: messages, plan, files, memories and the state of tools are as they were when it was left. The present conversation
   * becomes a branch. What the user has changed in files since the conversation went back, without a request, remains.
   *
   * @throws RoleZeroError `not-found`, `invalid` while a run is in progress, `conflict` when a file cannot be restored.
   */
  open(id: string, options?: RewindOptions): Promise<RewindResult>;
  /** Removes a branch for good. Removing one that does not exist does nothing. */
  remove(id: string): Promise<void>;
}
