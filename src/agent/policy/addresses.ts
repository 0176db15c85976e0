import { attachedTo, withoutNote } from '../../core/attached-files.js';
import { resultsIn, UserRequirement, type Message } from '../../core/message.js';
import { isUrl } from '../../core/is-url.js';
import { isPrivateHost } from '../../core/private-host.js';
import { ASK_HUMAN } from '../../core/role-command-names.js';

/** Maximum characters of an address. */
export const MAX_ADDRESS = 2_048;
/** Scheme and host in plain form. */
const WHOLE = /^\s*(?:https?|wss?|ftp):\/\/[^\\/?#\s]+(?:[/?#]|\s*$)/iu;
/** Addresses with other schemes. A host before a port is not a scheme: `evil.test:8080`. */
const OTHER =
  /^(?!(?:https?|wss?|ftp):)(?:[a-z][a-z\d+-]*:\/\/|(?:about|data|javascript|mailto|sms|tel|urn):)/iu;
/** End of the scheme in a pattern for origins. */
const SCHEMES = ['https://', 'http://', 'wss://', 'ws://', 'ftp://'];

/** Returns the origin of an address as `URL` writes it; an address without one is returned whole. @throws TypeError for an invalid address. */
export function originOf(address: string): string {
  const { origin, href } = new URL(address);
  if (origin === 'null') return href;
  return origin.replace(/\.+(?=(:\d+)?$)/u, ''); // `example.org.` is the same host as `example.org`
}

/**
 * Returns all origins that a tool may reach with this address. For an incomplete address these are the origins with a scheme added, and
 * the origin relative to the application, because only the tool knows how it completes the address.
 *
 * @param ownOrigin Origin of the application; undefined outside of a page or worker.
 */
export function originsOf(address: string, ownOrigin: string | undefined): string[] {
  if (isWhole(address) || OTHER.test(address)) return isUrl(address) ? [originOf(address)] : [address];
  const rest = address.replace(/^[\s\\/]+/u, '');
  const readings = [address, address.replaceAll('\\', '%5C'), `https://${rest}`, `http://${rest}`].flatMap(
    (text) => (isUrl(text) ? [new URL(text)] : []),
  );
  if (isUrl(address, ownOrigin)) readings.push(new URL(address, ownOrigin));
  const origins = readings.filter(({ origin }) => origin !== 'null').map(({ href }) => originOf(href));
  return origins.length === 0 ? [address] : [...new Set(origins)];
}

/** Returns whether every parser reads the address like `URL` does. */
export function isWhole(address: string): boolean {
  return WHOLE.test(address);
}

/** Returns whether an origin matches a pattern of a rule. */
export function fitsSomeOrigin(pattern: string): boolean {
  if (OTHER.test(pattern)) return true;
  if (isWhole(pattern) && isUrl(pattern) && originOf(pattern) === pattern) return true;
  const [start = '', ...more] = pattern.split('*');
  const host = pattern.replace(/^(?:[a-z*]*:\/\/|[a-z:/]*\*:?\/{0,2})/u, '');
  return (
    more.length > 0 &&
    SCHEMES.some((scheme) => scheme.startsWith(start) || start.startsWith(scheme)) &&
    !/[\s\\/?#@A-Z\u0080-\uffff]|\.(?::\d*)?$/u.test(host) &&
    !/^(?:https|wss):.*:443$|^(?:http|ws):.*:80$/u.test(pattern)
  );
}

/**
 * Returns why an address is never reached; null for a valid one. Loopback, private, and link-local networks belong to the machine and home
 * of the user. They are reached only when the application has named the full origin.
 */
export function unfit(address: string, isNamed = false): string | null {
  const [other] = OTHER.exec(address) ?? [];
  if (other !== undefined) return `it is a ${other.replace('//', '')} address`;
  if (!isWhole(address) || !isUrl(address))
    return 'it is no whole address; write it with its scheme and its host, https://example.org/page';
  const url = new URL(address);
  if (address.length > MAX_ADDRESS) return `it is longer than ${MAX_ADDRESS} characters`;
  if (!/^https?:$/.test(url.protocol)) return `it is a ${url.protocol} address`;
  if (url.username !== '' || url.password !== '') return 'it holds a name or a password';
  return !isNamed && isPrivateHost(url.hostname) ? `${url.hostname} is no public host` : null;
}

/**
 * Who named an address first, besides the model: `user` is the user or the application; `site` is content from outside of the session that
 * lists an address of a host which the user or the application named; `content` is such content alone.
 */
export type Source = 'user' | 'site' | 'content';

/**
 * Returns who named an address: as a whole, and before the model wrote it. Returns null when only the model did: an address that it
 * composes may leak what it knows. Files may contain such addresses, so they do not count.
 */
export function sourceOf(
  address: string,
  memory: readonly Message[],
  application: readonly string[],
): Source | null {
  const forms = formsOfAddress(address);
  const names = (text: string): boolean => forms.some((form) => occursIn(text, form));
  const requests = [...application, ...memory.flatMap(requestOf)];
  if (requests.some(names)) return 'user';
  const listed = firstNaming(names, memory);
  if (listed === null) return null;
  if (listed['name'] === ASK_HUMAN) return 'user';
  if (!isUrl(address)) return 'content';
  const { host } = new URL(address);
  return host !== '' && requests.some((text) => occursIn(text, host)) ? 'site' : 'content';
}

/** Returns the first result of others that names an address, and null when the model wrote the address before. */
function firstNaming(
  names: (text: string) => boolean,
  memory: readonly Message[],
): Record<string, unknown> | null {
  for (const message of memory) {
    const { isAiMessage, content, metadata } = message;
    if (isAiMessage && (names(content) || names(JSON.stringify(metadata['commands'] ?? '')))) return null;
    const results = isAiMessage ? null : resultsIn(message);
    const found = results?.find((result) => names(wordsOfOthers(result)));
    if (found !== undefined) return found;
  }
  return null;
}

/**
 * Returns the text of a request of the user, unless it passed through a role that has read untrusted content. Names of untrusted files are
 * not the user's words.
 */
export function requestOf({ isAiMessage, content, causeBy, metadata }: Message): string[] {
  if (isAiMessage || causeBy !== UserRequirement.id) return [];
  if (metadata['untrusted'] === undefined) return [content];
  const note = attachedTo(metadata)?.note ?? null;
  return note !== null && content.endsWith(note) ? [withoutNote(content, metadata)] : [];
}

/** Returns what the user or untrusted content wrote in a result: all of it, and further addresses, or only addresses. */
export function wordsOfOthers({ name, output, from, composed, addresses }: Record<string, unknown>): string {
  const isWhole = (Array.isArray(from) && composed !== true) || name === ASK_HUMAN;
  return JSON.stringify([isWhole ? output : '', addresses ?? []]);
}

/** Characters that may come before a host, after a host, and after a longer address. */
const BEFORE_HOST = /(?<![\w.@%-])/y;
const AFTER_HOST = /(?![\w@-]|\.\w)/y;
const AFTER_ADDRESS = /\/?[.,;:!?]*(?:$|[^\w.,;:!?#/@&=+$%~-])/y;

/** Returns whether a text contains the whole address, and not as a part of another host or of a longer path. */
function occursIn(text: string, form: string): boolean {
  const isHost = !form.includes('/');
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
    const end = at + form.length;
    if (
      isHost
        ? fitsAt(BEFORE_HOST, text, at) && fitsAt(AFTER_HOST, text, end)
        : fitsAt(AFTER_ADDRESS, text, end)
    )
      return true;
  }
  return false;
}

function fitsAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** Returns an address as users and pages write it: a bare host for a front page. */
function formsOfAddress(address: string): string[] {
  if (!isUrl(address)) return [address];
  const { href, pathname, search, hash, host, username, password } = new URL(address);
  const isFront = [search, hash, username, password].every((part) => part === '') && pathname === '/';
  return [address, href, ...(isFront ? [host] : [])];
}
