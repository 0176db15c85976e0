import type { Lifetime } from './policy.js';
import { addressKey, FREE_LINKS, FREE_READS, siteKey } from './reads.js';
import type { Tool } from '../../core/tool.js';
import { placeOf, stateOf, type Checked, type Situation } from './situation.js';

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

const VERDICTS: Record<
  Reach,
  readonly [neither: Verdict, untrusted: Verdict, secret: Verdict, both: Verdict]
> = {
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
  const verdict = VERDICTS[reach][(untrusted ? 1 : 0) + (secret ? 2 : 0)] ?? 'once';
  // A service can pass on what it is asked: a tool that fetches pages only reads, too.
  return verdict === 'allow' && ownData && untrusted && reach !== 'listed' ? 'run' : verdict;
}

/* How far a command reaches, and how a question names that. */

/** Reasons for an approval request, by the effect of the command. */
const REASONS_BY_REACH: Record<Reach, string> = {
  inside: '',
  leak: '', // the tool says how
  read: '',
  follow: 'it reads an address that only untrusted content named',
  further: '', // says how many reads there were
  listed: 'it chooses what it reads of a service, which can tell the service what it knows',
  query: 'it sends a request that the model composed',
  compose: 'it requests something outside of the session that only the model named',
  write: 'it changes something outside of the session',
  release: 'it answers somebody other than you',
  overwrite: 'it changes a file that you provided',
};

/** Effects that send a text which the model wrote. */
export const SENDS_TEXT: ReadonlySet<Reach> = new Set(['query', 'compose', 'write']);
/** Effects that read from a service. */
const READS_SERVICE: ReadonlySet<Reach> = new Set(['listed', 'query', 'compose']);

/** Effects of tools that reach nothing outside of the session. */
const INSIDE: ReadonlySet<Tool['effect']> = new Set<Tool['effect']>([undefined, 'pure', 'session']);

/** Returns whether a command reaches outside of the session. */
export function leavesSession(checked: Checked, situation: Pick<Situation, 'toolState'>): boolean {
  if (INSIDE.has(checked.tool.effect)) return false;
  const { addresses } = placeOf(checked, situation);
  return reachOf(checked, situation, addresses[0] ?? null, () => 'compose') !== 'inside';
}

/** Returns the effect of a command at one of its addresses, or at none. */
export function effectOf(checked: Checked, situation: Situation, at: string | null): Reach {
  return reachOf(checked, situation, at, (address) => reachOfRead(situation, address));
}

/** Returns the reason for an approval request. */
export function reasonOf(reach: Reach, situation: Situation, address: string | null): string {
  return reach === 'further' && address !== null
    ? reasonOfFurther(situation, address)
    : REASONS_BY_REACH[reach];
}

function reachOf(
  { tool, input }: Checked,
  { toolState }: Pick<Situation, 'toolState'>,
  at: string | null,
  reachOfAddress: (address: string) => Reach,
): Reach {
  if (INSIDE.has(tool.effect)) return 'inside';
  if (at === null && 'reaches' in tool) return 'inside'; // the session's own page
  if (tool.effect !== 'egress-read') return 'write';
  if (at !== null) return reachOfAddress(at);
  const isComposed = tool.isComposed?.(input, stateOf(tool, toolState));
  if (isComposed === false) return 'listed';
  return (isComposed ?? tool.composes === true) ? 'compose' : 'query';
}

/** Returns whether a command reads from a service, so that one answer can cover all that only read from it. */
export function readsService(tool: Tool, reach: Reach): boolean {
  return READS_SERVICE.has(reach) && (tool.service !== undefined || reach !== 'compose');
}

/** Returns what private data a role knows when it sends a command: `own` when all of it came from the receiver, which is only read. */
export function knowledgeFor(
  { private: known }: Pick<Situation, 'private'>,
  tool: Tool,
  reach: Reach,
): 'secrets' | 'own' | 'nothing' {
  if (known === null) return 'nothing';
  return known === tool.service && READS_SERVICE.has(reach) ? 'own' : 'secrets';
}

function reachOfRead({ sourceOf, readsOf, private: known }: Situation, address: string): Reach {
  const source = sourceOf(address);
  if (source === null) return 'compose';
  if (source === 'content') return 'follow';
  if (source === 'user' && readsOf(addressKey(address)) < FREE_READS) return 'read';
  return readsOf(siteKey(address)) < (known === null ? FREE_LINKS : 0) ? 'read' : 'further';
}

function reasonOfFurther({ readsOf }: Situation, address: string): string {
  const reads = readsOf(siteKey(address));
  const earlier = reads === 0 ? '' : `, after ${reads} such ${reads === 1 ? 'read' : 'reads'}`;
  return `it reads more of this site than you named${earlier}; the choice of addresses can tell the site what it knows`;
}

/** Returns how a command that stays in the session can send data out; null if it cannot. */
export function leakOf({ tool, input }: Checked, { toolState }: Situation): string | null {
  return tool.leaks?.(input, stateOf(tool, toolState)) ?? null;
}
