import { isRecord } from '../base/json.js';
import { UserRequirement, type Message } from '../base/message.js';
import { isUrl } from '../base/is-url.js';

/** Characters of an address a command may reach. */
const MAX_ADDRESS = 2_048;
/** Scheme and host, as everybody reads them. */
const WHOLE = /^\s*(?:https?|wss?|ftp):\/\/[^\\/?#\s]+(?:[/?#]|\s*$)/iu;
/** Addresses of other kinds. A name before a colon is none: `evil.test:8080`. */
const OTHER =
  /^(?!(?:https?|wss?|ftp):)(?:[a-z][a-z\d+-]*:\/\/|(?:about|data|javascript|mailto|sms|tel|urn):)/iu;
/** Where the scheme of an origin ends that a pattern has only the beginning of. */
const SCHEMES = ['https://', 'http://', 'wss://', 'ws://', 'ftp://'];

/** The origin of an address in the form that `URL` gives it; what has none stands for itself. @throws TypeError for what is no address. */
export function originOf(address: string): string {
  const { origin, href } = new URL(address);
  if (origin === 'null') return href;
  return origin.replace(/\.+(?=(:\d+)?$)/u, ''); // `example.org.` is `example.org` by its full name, and under the same rules
}

/**
 * All origins that a tool may come to which is given this address: that of a whole one; of another those that it has with a scheme before
 * it, and seen from the application's own address, for nobody but the tool knows what it makes of it.
 */
export function originsOf(address: string): string[] {
  if (isWhole(address) || OTHER.test(address)) return isUrl(address) ? [originOf(address)] : [address];
  const rest = address.replace(/^[\s\\/]+/u, '');
  const own = (globalThis as { location?: { origin: string } }).location?.origin;
  const readings = [address, address.replaceAll('\\', '%5C'), `https://${rest}`, `http://${rest}`].flatMap(
    (text) => (isUrl(text) ? [new URL(text)] : []),
  );
  if (isUrl(address, own)) readings.push(new URL(address, own));
  const origins = readings.filter(({ origin }) => origin !== 'null').map(({ href }) => originOf(href));
  return origins.length === 0 ? [address] : [...new Set(origins)];
}

/** Whether nobody can read it as another address than `URL` does. */
export function isWhole(address: string): boolean {
  return WHOLE.test(address);
}

/** Whether some origin fits a pattern of a rule. */
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
 * Why an address is reached under no circumstances; null for one that is fit. Loopback, private and link-local networks belong to the
 * person's machine and house, whatever a page or a model says of them: they are fit only when the application has named the origin in full.
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

/** `new URL` has written the many forms of a number as four, and names in small letters. */
function isPrivateHost(host: string): boolean {
  const name = host.replace(/\.$/, '');
  if (/^\[/.test(name)) {
    // The wrapped forms of IPv4 (::ffff:, 64:ff9b::, 2002:) have no place in a public address either.
    return !/^\[2[0-9a-f]{3}:/.test(name) || /^\[2002:/.test(name);
  }
  const [a = '', b = ''] = /^\d+\.\d+\.\d+\.\d+$/.test(name) ? name.split('.') : [];
  if (a !== '') {
    const [one, two] = [Number(a), Number(b)];
    return (
      one === 0 ||
      one === 10 ||
      one === 127 ||
      one >= 224 ||
      (one === 100 && two >= 64 && two < 128) ||
      (one === 169 && two === 254) ||
      (one === 172 && two >= 16 && two < 32) ||
      (one === 192 && two === 168) ||
      (one === 198 && (two === 18 || two === 19))
    );
  }
  return (
    !name.includes('.') ||
    /\.(local|localhost|internal|intranet|lan|home|corp|private|home\.arpa)$/.test(name)
  );
}

/**
 * Whether somebody else than the model named an address: the person, the application, or a result that was written outside, whole and
 * before the model itself had written it. One that the model put together may carry out what it knows; files may hold such ones, whoever's
 * words are in them.
 */
export function isGiven(
  address: string,
  memory: readonly Message[],
  application: readonly string[],
): boolean {
  const forms = formsOf(address);
  const names = (text: string): boolean => forms.some((form) => standsIn(text, form));
  if (application.some(names)) return true;
  let isComposed = false;
  for (const { isAiMessage, content, causeBy, metadata } of memory) {
    if (isAiMessage) isComposed ||= names(content) || names(JSON.stringify(metadata['commands'] ?? ''));
    else if (causeBy === UserRequirement.id) {
      if (metadata['untrusted'] === undefined && names(content)) return true;
    } else if (!isComposed && Array.isArray(metadata['results'])) {
      for (const result of metadata['results'])
        if (isRecord(result) && isFromOthers(result) && names(JSON.stringify(result['output'] ?? '')))
          return true;
    }
  }
  return false;
}

function isFromOthers({ name, from, composed }: Record<string, unknown>): boolean {
  return (Array.isArray(from) && composed !== true) || name === 'RoleZero.ask_human';
}

/** What may stand before a host, and behind one; behind a longer address. */
const BEFORE_HOST = /(?<![\w.@%-])/y;
const AFTER_HOST = /(?![\w@-]|\.\w)/y;
const AFTER_ADDRESS = /\/?[.,;:!]*(?:$|[^\w.,;:!/@&=+$%~-])/y;

/** Whether a text has an address whole, and not as part of another host or a longer path: each part would be one more to choose from. */
function standsIn(text: string, form: string): boolean {
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

/** An address as people and pages write it: a bare host for its front page. */
function formsOf(address: string): string[] {
  if (!isUrl(address)) return [address];
  const { href, pathname, search, hash, hostname } = new URL(address);
  const isFront = pathname === '/' && search === '' && hash === '';
  return [address, href, ...(isFront ? [hostname] : [])];
}
