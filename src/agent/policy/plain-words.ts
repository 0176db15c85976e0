/** An approval request in words for people: what will happen, who asked for it, and what could be disclosed. */
import { isUrl } from '../../core/is-url.js';
import type { Tool } from '../../core/tool.js';
import { visible } from '../../core/visible.js';
import type { Judgement } from './judge.js';
import type { Reach } from './rule-of-two.js';

/** Who asks, what the command is, and what its role knows. */
export interface About {
  role: string;
  /** What the command does, such as `open evil.test`. */
  phrase: string;
  /** Untrusted sources that the role has read. */
  untrusted: readonly string[];
  /** Private data that the role has read, by name. */
  secrets: readonly string[];
  /** Who receives what the command sends, where its origin does not say it. */
  receiver: string;
}

/** Maximum number of names in a sentence, and characters of each. */
const MAX_NAMES = 3;
const MAX_NAME = 100;

/** What makes the effect of a command worth a question. For others, only a rule asks. */
const EFFECTS: Partial<Record<Reach, string>> = {
  leak: 'The page that it opens can connect to other servers.',
  follow: 'You have not named this address.',
  further:
    'You have not asked for so many reads of this site; their choice and number can tell it something.',
  query: 'This request was written by the AI model.',
  compose: 'This address or request was written by the AI model.',
  write: 'This changes something outside of this session.',
  release: 'The request was not sent by you.',
  overwrite: 'This changes a file that you provided.',
};

/** Effects that read from an address. */
const READS: ReadonlySet<Reach | undefined> = new Set<Reach | undefined>([
  'read',
  'follow',
  'further',
  'compose',
]);

/** Returns what a command does, when its tool does not say it. */
export function defaultPhrase({ name, staged, effect }: Tool, { reach, origin, path }: Judgement): string {
  if (effect === 'egress-read' && origin !== null && READS.has(reach)) return `open ${hostOf(origin)}`;
  if (staged === true && path !== null) return `change ${path}`;
  return `run ${name}`;
}

/** Returns the question. */
export function plainQuestion({ role, phrase }: About): string {
  return `May ${role} ${visible(phrase)}?`;
}

/** Returns why the user is asked, and who may have asked for it. */
export function plainReason({ reach, isOfRule = false }: Judgement, { role, untrusted }: About): string {
  const effect = reach === undefined ? undefined : EFFECTS[reach];
  if (effect === undefined || isOfRule) return 'This application asks you about such actions.';
  if (untrusted.length === 0) return effect;
  return `${effect} ${role} has read ${listOf(untrusted)}, which may have asked for it.`;
}

/** Returns what could be disclosed; undefined when the role knows nothing private, or the command sends nothing. */
export function plainDisclosure(judgement: Judgement, about: About): string | undefined {
  const { reach, quoted, origin, knowsPrivate = false } = judgement;
  if (reach === undefined || reach === 'overwrite' || reach === 'inside') return undefined;
  const receiver = origin === null ? about.receiver : hostOf(origin);
  if (quoted !== undefined)
    return `It contains words of yours, “${short(quoted)}”, which ${receiver} would learn.`;
  if (!knowsPrivate) return undefined;
  const known = about.secrets.length === 0 ? 'private data of yours' : listOf(about.secrets);
  return `${about.role} knows ${known}; ${receiver} could learn it.`;
}

function listOf(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map(short);
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

function short(text: string): string {
  const shown = visible(text).replaceAll('\n', ' ');
  return shown.length > MAX_NAME ? `${shown.slice(0, MAX_NAME)}…` : shown;
}

/** Returns the host of an origin; the text itself for several or incomplete ones. */
function hostOf(origin: string): string {
  return isUrl(origin) && new URL(origin).host !== '' ? new URL(origin).host : short(origin);
}
