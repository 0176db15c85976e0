/**
 * Counts the reads of a role by address and by site. Reads can spell what a role knows, by their number and order, even when each address
 * was named by others.
 */
import { isUrl } from '../../core/is-url.js';
import { isWhole, originOf } from './addresses.js';

/** Number of reads by key; see `addressKey` and `siteKey`. Plain data, part of the state of a role. */
export type ReadCounts = Readonly<Record<string, number>>;

/** Maximum number of free reads of each address that the user named. */
export const FREE_READS = 2;
/** Maximum number of free reads beyond those at a site that the user named, in a session without private data other than words. */
export const FREE_LINKS = 2;

/** Maximum number of counted addresses and sites. Beyond it, no read of another one is free. */
const MAX_COUNTED_READS = 1_000;

/** Key of an address. A fragment does not reach the site. */
export function addressKey(address: string): string {
  if (!isWhole(address) || !isUrl(address)) return address;
  const url = new URL(address);
  url.hash = '';
  return url.href;
}

/** Key of the site of an address. An origin has no path, so it is no key of an address. */
export function siteKey(address: string): string {
  return isWhole(address) && isUrl(address) ? originOf(address) : `site ${address}`;
}

/** Returns the number of reads by several roles together, such as a sub-agent and its callers. */
export function readsOf(counts: readonly ReadCounts[], key: string): number {
  const isFull = counts.some(
    (each) => !Object.hasOwn(each, key) && Object.keys(each).length >= MAX_COUNTED_READS,
  );
  return isFull
    ? Infinity
    : counts.reduce((sum, each) => sum + (Object.hasOwn(each, key) ? (each[key] ?? 0) : 0), 0);
}

/**
 * Returns the counts with another read.
 *
 * @param isNamed The user named the address.
 * @param before The reads of several roles together.
 */
export function withRead(
  own: ReadCounts,
  address: string,
  { isNamed, before }: { isNamed: boolean; before: readonly ReadCounts[] },
): ReadCounts {
  const isFree = isNamed && readsOf(before, addressKey(address)) < FREE_READS;
  return added(own, isFree ? addressKey(address) : siteKey(address), 1);
}

/** Returns the sums of two counts. */
export function sumOfReads(one: ReadCounts, other: ReadCounts): ReadCounts {
  return Object.entries(other).reduce((sum, [key, reads]) => added(sum, key, reads), one);
}

function added(counts: ReadCounts, key: string, reads: number): ReadCounts {
  const isKnown = Object.hasOwn(counts, key);
  if (!isKnown && Object.keys(counts).length >= MAX_COUNTED_READS) return counts;
  return { ...counts, [key]: (isKnown ? (counts[key] ?? 0) : 0) + reads };
}
