import type { Lifetime } from './policy.js';

/** What is in a role's context, for good: it cannot forget what it read. */
export interface Exposure {
  /** Texts from outside of the session: whoever wrote them may want something else than the person. */
  untrusted: boolean;
  /** What is nobody else's business: the person's own files, older memories. */
  private: boolean;
}

/**
 * What a command does beyond its session: nothing (`inside`); read what stands at an address somebody gave (`read`); ask for what the model
 * itself put together, an address or a query (`compose`); change something (`write`); change a file that the person brought (`overwrite`).
 */
export type Reach = 'inside' | 'read' | 'compose' | 'write' | 'overwrite';

/** Whether it may, and how long a person's yes holds when they are to be asked. */
export type Verdict = 'allow' | Lifetime;

const TABLE: Record<Reach, readonly [neither: Verdict, untrusted: Verdict, secret: Verdict, both: Verdict]> =
  {
    inside: ['allow', 'allow', 'allow', 'allow'],
    read: ['allow', 'allow', 'allow', 'allow'],
    compose: ['allow', 'run', 'run', 'once'],
    write: ['session', 'run', 'run', 'once'],
    overwrite: ['run', 'run', 'run', 'once'],
  };

/**
 * "At most two of three": texts of strangers, private data, an effect outside. With the third a person is asked, each time anew.
 * A yes for a run or the session is about one command at one origin or path.
 */
export function ruleOfTwo(reach: Reach, exposure: Exposure): Verdict {
  return TABLE[reach][(exposure.untrusted ? 1 : 0) + (exposure.private ? 2 : 0)] ?? 'once';
}
