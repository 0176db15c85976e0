import type { Lifetime } from './policy.js';

/** What a role has read. It never becomes false again, because the role cannot unread anything. */
export interface Exposure {
  /** Untrusted content from outside of the session: its author may have other goals than the user. */
  untrusted: boolean;
  /** Private data of the user: files, notes, memories, and whatever a tool reports as private; words, where they are quoted. */
  private: boolean;
  /** The only private data came from the service that the command reads; `private` is then false. */
  ownData?: boolean;
}

/**
 * The effect of a command outside of the session: none (`inside`); none, but what it opens can send data out (`leak`); a read from an address
 * that the user or the application named (`read`); a read from an address that only untrusted content named (`follow`); more reads of a site
 * than the user named (`further`); a request to a service that contains only what the service has listed (`listed`); another request to a
 * service that the tool chose (`query`); another request that the model composed (`compose`); a change (`write`); an answer to a sender who
 * is not the user (`release`); a change of a file of the user (`overwrite`).
 */
export type Reach =
  | 'inside'
  | 'leak'
  | 'read'
  | 'follow'
  | 'further'
  | 'listed'
  | 'query'
  | 'compose'
  | 'write'
  | 'release'
  | 'overwrite';

/** Whether an effect is allowed, or how long the user's approval is valid. */
export type Verdict = 'allow' | Lifetime;

const TABLE: Record<Reach, readonly [neither: Verdict, untrusted: Verdict, secret: Verdict, both: Verdict]> =
  {
    inside: ['allow', 'allow', 'allow', 'allow'],
    leak: ['allow', 'allow', 'allow', 'once'],
    read: ['allow', 'allow', 'allow', 'allow'],
    follow: ['allow', 'run', 'allow', 'run'],
    further: ['allow', 'run', 'allow', 'run'],
    listed: ['allow', 'allow', 'allow', 'run'],
    query: ['allow', 'allow', 'run', 'once'],
    compose: ['allow', 'run', 'run', 'once'],
    write: ['session', 'run', 'run', 'once'],
    release: ['allow', 'allow', 'once', 'once'],
    overwrite: ['allow', 'run', 'allow', 'once'],
  };

/**
 * At most two of three without a question: untrusted content, private data, an outside effect. With all three the user is asked each
 * time. An approval for a run or the session covers one command at one origin or path.
 */
export function ruleOfTwo(reach: Reach, exposure: Exposure): Verdict {
  const { untrusted, private: secret, ownData = false } = exposure;
  const verdict = TABLE[reach][(untrusted ? 1 : 0) + (secret ? 2 : 0)] ?? 'once';
  // A service can pass on what it is asked: a tool that fetches pages only reads, too.
  return verdict === 'allow' && ownData && untrusted && reach !== 'listed' ? 'run' : verdict;
}
