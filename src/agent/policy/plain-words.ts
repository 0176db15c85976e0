/** An approval request in words for people: what will happen, who asked for it, and what could be disclosed. */
import type { ApprovalFacts } from '../../core/human.js';
import { isUrl } from '../../core/is-url.js';
import type { Tool } from '../../core/tool.js';
import { visible } from '../../core/visible.js';
import type { Judgement } from './judge.js';
import type { Reach } from './rule-of-two.js';

/** What a request is about, besides the decision. */
export interface About {
  tool: Tool;
  /** What the tool says that the command does, such as `send a mail to Ada`; undefined when it does not say it. */
  phrase: string | undefined;
  /** Untrusted sources that the role has read. */
  untrusted: readonly string[];
  /** Private data that the role has read, by name. */
  secrets: readonly string[];
  /** Number of reads at the site beyond those that the user named. */
  reads: number;
}

/** Maximum number of names in a sentence, and characters of each. */
const MAX_NAMES = 3;
const MAX_NAME = 100;

/** Why the effect of a command is worth a question. For others, only a rule asks. */
const WHY: Partial<Record<Reach, ApprovalFacts['why']>> = {
  leak: 'connect',
  follow: 'unnamed',
  further: 'further',
  listed: 'query',
  query: 'query',
  compose: 'composed',
  write: 'outside',
  release: 'sender',
  overwrite: 'file',
};

/** Effects that read from an address. */
const READS: ReadonlySet<Reach | undefined> = new Set<Reach | undefined>([
  'read',
  'follow',
  'further',
  'compose',
]);

/** Returns what an approval request says, as data. */
export function factsOf(judgement: Judgement, about: About): ApprovalFacts {
  const { reach, isOfRule = false, origin, quoted, knowsPrivate = false, lifetime } = judgement;
  const why = (isOfRule || reach === undefined ? undefined : WHY[reach]) ?? 'rule';
  const isDisclosed = reach !== undefined && reach !== 'overwrite' && reach !== 'inside';
  const facts: ApprovalFacts = {
    action: actionOf(judgement, about),
    why,
    sources: why === 'rule' ? [] : about.untrusted.map(short),
    secrets: [],
    lasts: lifetime,
  };
  if (why === 'further') facts.reads = about.reads;
  if (!isDisclosed || (quoted === undefined && !knowsPrivate)) return facts;
  const receiver = origin ?? about.tool.service ?? '';
  facts.receiver = receiver === '' ? '' : hostOf(receiver);
  if (quoted !== undefined) facts.quoted = short(quoted);
  else facts.secrets = about.secrets.map(short);
  return facts;
}

function actionOf(
  { reach, origin, path }: Judgement,
  { tool: { name, staged, effect, service }, phrase }: About,
): ApprovalFacts['action'] {
  if (phrase !== undefined) return { do: 'run', text: visible(phrase) };
  if (effect === 'egress-read' && origin !== null && READS.has(reach))
    return { do: 'open', host: hostOf(origin) };
  if (staged === true && path !== null) return { do: 'change', path: visible(pathsIn(path).join(', ')) };
  return { do: 'run', text: `use ${visible(titleOf(name, service))}` };
}

/** Returns the paths in the path of a decision: it is a list as JSON when there are several. */
function pathsIn(path: string): string[] {
  return path.startsWith('[') ? (JSON.parse(path) as string[]) : [path];
}

/** Returns the name of a tool as a title: `“Mail: send message”` for `Mail.send_message`. */
function titleOf(name: string, service: string | undefined): string {
  const [group = '', ...rest] = name.split('.');
  const method = rest.join('.').replaceAll('_', ' ');
  if (service !== undefined) return `“${method}” of the connected service “${group}”`;
  return `“${[group, method].filter((part) => part !== '').join(': ')}”`;
}

/** Returns what a command does, in words that complete "May Zero …?". */
export function phraseOf({ action }: ApprovalFacts): string {
  if (action.do === 'open') return `open ${action.host}`;
  return action.do === 'change' ? `change ${action.path}` : action.text;
}

/** Returns why the user is asked, and who may have asked for it. */
export function plainReason(facts: ApprovalFacts, role: string): string {
  const why = whyOf(facts, role);
  if (facts.sources.length === 0) return why;
  return `${why} ${role} has read content of ${listOf(facts.sources)}: it may have made ${role} do this, without you wanting it.`;
}

function whyOf({ action, why, reads = 0 }: ApprovalFacts, role: string): string {
  switch (why) {
    case 'connect':
      return 'Once open, this page can send something over the internet without being asked, to places that are not shown here.';
    case 'unnamed':
      return 'You have not mentioned this address.';
    case 'further':
      return `You have not mentioned this page of the site. ${soFar(reads)} By choosing which pages to open, and how many, ${role} could pass on to the site what it has read.`;
    case 'query':
      return `${role} wrote this itself.`;
    case 'composed':
      return action.do === 'open' ? `${role} made up this web address itself.` : `${role} wrote this itself.`;
    case 'outside':
      return `This has an effect outside of this conversation, which ${role} cannot take back.`;
    case 'sender':
      return 'The request is not from you.';
    case 'file':
      return `This changes a file that you gave to ${role}.`;
    case 'rule':
      return `This application lets ${role} do this only with your permission.`;
  }
}

function soFar(reads: number): string {
  if (reads === 0) return 'It is the first such page.';
  return reads === 1 ? 'One such page was opened before.' : `${reads} such pages were opened before.`;
}

/** Returns what could be disclosed; undefined when the role knows nothing private, or the command sends nothing. */
export function plainDisclosure(
  { receiver, quoted, secrets }: ApprovalFacts,
  role: string,
): string | undefined {
  if (receiver === undefined) return undefined;
  const way = receiver === '' ? 'get out this way' : `reach ${receiver}`;
  if (quoted !== undefined) return `It contains words of yours, “${quoted}”, which would ${way}.`;
  const known = secrets.length === 0 ? 'private data of yours' : listOf(secrets);
  return `${role} has read ${known}; something from ${secrets.length > 1 ? 'them' : 'it'} could ${way}.`;
}

/** Returns what a yes covers that lasts longer than once; undefined where it cannot. */
export function plainCoverage({ lasts, covers }: ApprovalFacts): string | undefined {
  if (lasts === 'once') return undefined;
  const until = lasts === 'run' ? 'until your request is done' : 'for the whole conversation';
  const duration = `Unless you allow it only once, a yes lasts ${until}.`;
  if (covers === undefined) return `${duration} It then allows exactly the same again.`;
  if ('service' in covers)
    return `${duration} It then allows everything that only reads from ${covers.service}.`;
  const { tool, target, at, links = false } = covers;
  const on = target === undefined ? '' : ' of this target';
  const where = at === '' ? '' : ` at ${at}`;
  return `${duration} It then allows every ${tool}${on}${where}${links ? ' whose address you or a page named' : ''}.`;
}

function listOf(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES);
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
