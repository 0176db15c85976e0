/**
 * The decision about a command: by the rules of the application, by the capabilities of the role, else by the rule of two. Functions over
 * values: they trust nothing that the model writes or reads, so a decision holds for a model that obeys every page.
 */
import { isUrl } from '../../core/is-url.js';
import { isRecord } from '../../core/json.js';
import type { OverwrittenFile } from '../../core/files.js';
import { MAX_SOURCES } from '../../core/sources.js';
import type { Tool } from '../../core/tool.js';
import { isWhole, originOf, originsOf, unfit } from './addresses.js';
import {
  LIFETIMES,
  matches,
  names,
  ruling,
  shorterLifetime,
  STRENGTH,
  type Decision,
  type Lifetime,
  type PolicyRule,
} from './policy.js';
import {
  ruleOfTwo,
  type Reach,
  effectOf,
  knowledgeFor,
  leakOf,
  readsService,
  reasonOf,
  SENDS_TEXT,
} from './rule-of-two.js';
import { placeOf, type Checked, type Place, type Situation } from './situation.js';

/** A decision about a command, with its reason. */
export interface Judgement {
  decision: Decision;
  why: string;
  lifetime: Lifetime;
  origin: string | null;
  path: string | null;
  /** The tool chose where its requests go, so that one answer can cover all of its calls. */
  isOfService?: boolean;
  /** An answer covers only addresses that others than the model named. */
  isOfLinks?: boolean;
  /** The effect that needs an approval; absent where only a rule asks. */
  reach?: Reach;
  /** A rule asks, not the rule of two. */
  isOfRule?: boolean;
  /** The words of the user that the command quotes. */
  quoted?: string;
  /** The role has read private data besides words. */
  knowsPrivate?: boolean;
}

/** Files that a command touched while it ran. */
export interface TouchedFiles {
  read: readonly string[];
  changed: readonly string[];
  /** Changed files that the user brought, and the untrusted sources of each. */
  overwritten: readonly OverwrittenFile[];
}

/** Maximum number of untrusted sources that an approval request names. */
const MAX_NAMED_SOURCES = 3;

/** Decides about a command before it runs. For several addresses, the strictest decision applies. */
export function judge(checked: Checked, situation: Situation): Judgement {
  const { path, addresses } = placeOf(checked, situation);
  if (addresses.length <= 1) return judgeAt(checked, situation, path, addresses[0] ?? null);
  return together(addresses.map((address) => judgeAt(checked, situation, path, address)));
}

/**
 * Decides about the files that a command read or changed without naming them.
 *
 * @param wasAsked The user has approved the command before it ran.
 */
export function judgeFiles(
  checked: Checked,
  situation: Situation,
  { read, changed, overwritten }: TouchedFiles,
  wasAsked: boolean,
): Judgement[] {
  const { capabilities } = situation;
  const place = placeOf(checked, situation);
  const { path: named } = place;
  // An approval of the command covers its files, except under a rule about paths: that one asks for each file.
  const answered = wasAsked ? ruleFor(checked, situation, place) : null;
  const isAnswered = (rule: PolicyRule): boolean => rule === answered && rule.path === undefined;
  const touched = new Set([...read, ...changed]);
  const judged = [...touched].flatMap((path): Judgement[] => {
    const { write } = capabilities ?? {};
    if (write !== undefined && changed.includes(path) && !write.some((glob) => matches(glob, path, '/')))
      return [{ ...refusal(`${path} is not among what it may write`), path }];
    if (path === named && wasAsked) return []; // the user saw it in the first question
    const rule = ruleFor(checked, situation, path === named ? place : { path, addresses: [] });
    const byTable = byRuleOfTwo(checked, situation, reachOfChange(path, overwritten, situation), path, null);
    if (rule !== null && !isAnswered(rule)) return [byRule(rule, byTable)];
    return byTable.decision === 'allow' ? [] : [byTable];
  });
  // The question that was postponed, because the changes were only staged.
  const isOpen = isStaged(checked.tool) && !wasAsked && !(named !== null && touched.has(named));
  return isOpen ? [judge(checked, situation), ...judged] : judged;
}

/**
 * Returns the effect of a change. A file is not the user's own when everything untrusted that the role has read comes from the sources of
 * this file: the files of an archive may be changed as its texts ask, and no others.
 */
function reachOfChange(
  path: string,
  overwritten: readonly OverwrittenFile[],
  { untrusted = [] }: Situation,
): Reach {
  const file = overwritten.find((each) => each.path === path);
  if (file === undefined) return 'inside';
  const isOfSources = untrusted.length > 0 && untrusted.every((source) => file.untrusted.includes(source));
  return isOfSources && untrusted.length < MAX_SOURCES ? 'inside' : 'overwrite';
}

/** Decides about an answer to somebody other than the user: a rule, else whether it may contain private data. */
export function judgeRelease(checked: Checked, situation: Situation): Judgement {
  const place = { path: null, addresses: [] };
  const quoted = privateWordsQuotedBy(checked, situation, 'release');
  const table = byRuleOfTwo(checked, situation, 'release', null, null, { quoted });
  const rule = ruleFor(checked, situation, place);
  return rule === null ? table : byRule(rule, table);
}

/** Returns the rule that decides. For several origins it is the strictest; no rule counts as stricter than "allow". */
export function ruleFor(
  { tool, input }: Checked,
  { role, rules, ownOrigin, aliasesOf }: Situation,
  { path, addresses }: Place,
): PolicyRule | null {
  if (rules.length === 0) return null;
  const { name, aliases: argumentNames } = tool;
  const asked = {
    role,
    tool: name,
    aliases: aliasesOf(name),
    args: isRecord(input) ? input : {}, // parsed, so aliases and other forms that the model used are resolved
    argumentNames,
    path,
  };
  const origins =
    addresses.length === 0 ? [null] : addresses.flatMap((address) => originsOf(address, ownOrigin));
  const found = origins.map((origin) => ruling({ ...asked, origin }, rules));
  const strength = (rule: PolicyRule | null): number => (rule === null ? 0.5 : STRENGTH[rule.do]);
  return found.reduce((strictest, rule) => (strength(rule) > strength(strictest) ? rule : strictest));
}

/** Returns whether a command may run before the user is asked: its changes are only staged. */
export function isStaged({ staged, effect = 'session' }: Tool): boolean {
  return staged === true && effect === 'session';
}

/** Returns the shortest lifetime, because one answer covers all of them. */
export function shortestLifetime(judged: readonly Judgement[]): Lifetime {
  return LIFETIMES.find((lifetime) => judged.some((each) => each.lifetime === lifetime)) ?? 'once';
}

function judgeAt(
  checked: Checked,
  situation: Situation,
  path: string | null,
  address: string | null,
): Judgement {
  const { tool } = checked;
  // An incomplete address is its own origin, so its approval covers nothing else.
  const origin = address !== null && isWhole(address) && isUrl(address) ? originOf(address) : address;
  const rule = ruleFor(checked, situation, { path, addresses: address === null ? [] : [address] });
  const reach = effectOf(checked, situation, address);
  const leak = reach === 'inside' ? leakOf(checked, situation) : null;
  const reason = reasonOf(reach, situation, address);
  const quoted = SENDS_TEXT.has(reach) ? privateWordsQuotedBy(checked, situation, reach) : null;
  const table =
    leak === null
      ? byRuleOfTwo(checked, situation, reach, path, origin, { reason, quoted })
      : byRuleOfTwo(checked, situation, 'leak', path, origin, { reason: leak });
  // The same shell command may run a script whose text has changed since a yes.
  const byTable: Judgement =
    tool.composes === true
      ? { ...table, lifetime: 'once' }
      : readsService(tool, reach)
        ? { ...table, isOfService: true }
        : reach === 'follow' || reach === 'further'
          ? { ...table, isOfLinks: true }
          : table;
  if (rule?.do === 'deny') return byRule(rule, byTable);
  const excess = reach === 'inside' ? null : beyondCapabilities(tool, situation, address, origin, rule);
  if (excess !== null) return { ...refusal(excess), origin };
  return rule === null ? byTable : byRule(rule, byTable);
}

/**
 * Returns why an outside effect exceeds the capabilities; null when it is covered. Without capabilities, only the hosts of the user's own
 * network are out of reach, once the role has read untrusted content.
 */
function beyondCapabilities(
  { name, effect }: Tool,
  { capabilities, aliasesOf, untrusted, sourceOf }: Situation,
  address: string | null,
  origin: string | null,
  rule: PolicyRule | null,
): string | null {
  if (capabilities === null) {
    if (untrusted === undefined || address === null || rule?.origin === origin) return null;
    if (effect !== 'egress-read') return null; // the user is asked before it changes anything there
    const fault = unfit(address, sourceOf(address) === 'user');
    return fault === null
      ? null
      : `${origin ?? address} cannot be reached after untrusted content was read: ${fault}`;
  }
  const { outside = [], origins = [] } = capabilities;
  if (!outside.some((pattern) => names(pattern, name, aliasesOf(name))))
    return `${name} is not among what it may do outside of the session`;
  if (address === null || origin === null) return null;
  const isNamed = origins.includes(origin) || rule?.origin === origin;
  const fault = unfit(address, isNamed);
  if (fault !== null) return `${origin} cannot be reached: ${fault}`;
  return isNamed || origins.some((glob) => matches(glob, origin))
    ? null
    : `${origin} is not among the origins it may reach`;
}

/** Decides by the rule of two. Without capabilities, only effects after untrusted content need an approval. */
function byRuleOfTwo(
  { tool }: Checked,
  situation: Situation,
  reach: Reach,
  path: string | null,
  origin: string | null,
  {
    reason = reasonOf(reach, situation, null),
    quoted = null,
  }: { reason?: string; quoted?: string | null } = {},
): Judgement {
  const { capabilities, untrusted } = situation;
  const knowledge = knowledgeFor(situation, tool, reach);
  const exposure = {
    untrusted: untrusted !== undefined,
    private: knowledge === 'secrets' || quoted !== null,
    ownData: knowledge === 'own',
  };
  const applies = capabilities !== null || exposure.untrusted;
  const verdict = applies ? ruleOfTwo(reach, exposure) : 'allow';
  const place = { path, origin };
  if (verdict === 'allow') return { decision: 'allow', why: '', lifetime: 'once', ...place };
  const sources = untrusted?.slice(0, MAX_NAMED_SOURCES).join(', ');
  const read = sources === undefined ? '' : `it has read ${sources}`;
  const quotes = quoted === null ? '' : `it quotes what you wrote: ${JSON.stringify(quoted)}`;
  const knows = quoted === null && knowledge !== 'nothing' ? 'it has read private data' : quotes;
  const why = [reason, read, knows].filter((part) => part !== '').join('; ');
  return {
    decision: 'ask',
    why,
    lifetime: verdict,
    ...place,
    reach,
    ...(quoted === null ? {} : { quoted }),
    ...(knowledge === 'nothing' ? {} : { knowsPrivate: true }),
  };
}

function refusal(why: string): Judgement {
  return { decision: 'deny', why, lifetime: 'once', origin: null, path: null };
}

/** Decides by a rule. An approval that a rule asks for is not valid for longer than one that the rule of two asks for. */
function byRule(rule: PolicyRule, byTable: Judgement): Judgement {
  const { lifetime: given = 'once' } = rule;
  const { decision, lifetime, path, origin } = byTable;
  if (rule.do !== 'ask' || decision !== 'ask')
    return { decision: rule.do, why: '', lifetime: given, path, origin, isOfRule: true };
  return { ...byTable, lifetime: shorterLifetime(given, lifetime) };
}

/** Combines the decisions for several addresses: the strictest decision, the shortest lifetime, all origins. */
function together(judged: readonly Judgement[]): Judgement {
  const strictest = Math.max(...judged.map(({ decision }) => STRENGTH[decision]));
  const decisive = judged.filter(({ decision }) => STRENGTH[decision] === strictest);
  const [first] = decisive as [Judgement];
  return {
    ...first,
    lifetime: shortestLifetime(decisive),
    origin: [...new Set(judged.map(({ origin }) => origin))].join(', '),
  };
}

/** Returns the words of the user that a command quotes, when that decides: after untrusted content, without other private data. */
function privateWordsQuotedBy(checked: Checked, situation: Situation, reach: Reach): string | null {
  if (situation.untrusted === undefined || knowledgeFor(situation, checked.tool, reach) === 'secrets')
    return null;
  return situation.quotedBy(checked);
}
