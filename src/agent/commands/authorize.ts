/** Authorization of a command: before it runs, while it reads files, and before its changes are committed. */
import { RoleZeroError } from '../../core/error.js';
import type { StagedFiles, Touched } from '../../core/files.js';
import type { Command } from '../../core/human.js';
import type { Message } from '../../core/message.js';
import { sourceOf } from '../policy/addresses.js';
import { isStaged, judge, judgeFiles, ruleFor, shortestLifetime, type Judgement } from '../policy/judge.js';
import { quotedWords, textsSentWith, wordsOfUntrusted, wordsOfUser } from '../policy/private-words.js';
import { leavesSession } from '../policy/rule-of-two.js';
import { readsOf, withRead } from '../policy/reads.js';
import { placeOf, type Checked, type Situation } from '../policy/situation.js';
import type { Agent } from '../runtime/agent.js';
import type { Run } from '../runtime/outcome.js';
import type { NeededRequest } from '../policy/shown-command.js';
import { describeBytes, GRANTED, settle, sharedReads, type Authorization } from './request-approval.js';

/** Returns whether a command runs without a question, whatever files it touches and other commands run beside it. */
export function isAllowed(agent: Agent, checked: Checked): boolean {
  if (agent.settings.rules.some(({ path }) => path !== undefined)) return false;
  const situation = situationOf(agent);
  // Each read outside of the session counts before the next one is judged.
  if (agent.state.untrusted !== undefined && placeOf(checked, situation).addresses.length > 0) return false;
  return judge(checked, situation).decision === 'allow';
}

/**
 * Returns the command as one that stays in the session, for a tool that often needs no request. Null when the command may send requests
 * without a question, or when the user is asked about it in any case.
 */
export function offlineForm(agent: Agent, checked: Checked): Checked | null {
  if (checked.tool.asksForNetwork !== true) return null;
  const situation = situationOf(agent);
  if (judge(checked, situation).decision === 'allow') return null;
  const { effect: _, ...tool } = checked.tool;
  const offline: Checked = { ...checked, tool: { ...tool, replay: 'atomic' }, isOffline: true };
  return judge(offline, situation).decision === 'allow' ? offline : null;
}

/** Returns whether a command could run now without a question, apart from the files that it touches. */
export function mayRunUnasked(agent: Agent, command: Command): boolean {
  const resolved = agent.registry.resolve(command);
  if (!resolved.ok) return false;
  const { tool, input } = resolved;
  return judge({ tool, command, input }, situationOf(agent)).decision === 'allow';
}

/** Returns whether a command that runs may store a new file at a path without another question. */
export function mayWriteUnasked(agent: Agent, checked: Checked, path: string): boolean {
  const touched = { read: [], changed: [path], overwritten: [] };
  const judged = judgeFiles(checked, situationOf(agent), touched, true);
  return judged.every(({ decision }) => decision === 'allow');
}

/** Returns whether the output of a command is untrusted content. The tool may state it; otherwise its reach decides. */
export function bringsUntrusted(agent: Agent, checked: Checked): boolean {
  const { untrusted, trusted } = checked.tool;
  if (untrusted !== undefined) return untrusted;
  return trusted !== true && leavesSession(checked, { toolState: agent.state.tools });
}

/**
 * Returns a guard that throws when a command reads a file that a rule denies. For a command whose effect leaves the session, it also
 * throws for files that need an approval, because afterwards is too late.
 */
export function readGuard(agent: Agent, checked: Checked): (path: string) => void {
  if (agent.settings.rules.length === 0) return () => {};
  const situation = situationOf(agent);
  const place = placeOf(checked, situation);
  const leaves = leavesSession(checked, situation);
  return (path) => {
    if (path === place.path) return; // decided before the command ran
    const rule = ruleFor(checked, situation, { path, addresses: [] });
    if (rule?.path === undefined || rule.do === 'allow') return;
    if (rule.do === 'deny')
      throw new RoleZeroError('permission', `A rule of this application forbids ${path}.`);
    if (leaves)
      throw new RoleZeroError('permission', `Reading ${path} needs the user's approval: name it in "path".`);
  };
}

/**
 * Authorizes a command before it runs. A command whose changes are staged is authorized afterwards instead. Returns a promise only for a
 * command that is not allowed without a question.
 *
 * @param needed The request that the command was about to send, when it has run without one.
 */
export function authorize(
  agent: Agent,
  checked: Checked,
  callId: string,
  run: Run,
  needed: NeededRequest | null = null,
): Authorization | Promise<Authorization> {
  const judgement = judge(checked, situationOf(agent));
  if (judgement.decision === 'ask' && isStaged(checked.tool)) return GRANTED; // the user is asked when the changes can be shown
  if (judgement.decision !== 'allow')
    return authorizeJudged(agent, checked, judgement, { callId, run, needed });
  countReads(agent, checked); // before another one is judged
  return GRANTED;
}

async function authorizeJudged(
  agent: Agent,
  checked: Checked,
  judgement: Judgement,
  about: { callId: string; run: Run; needed: NeededRequest | null },
): Promise<Authorization> {
  const settled = await settle(agent, checked, judgement, { ...about, changes: [] });
  if (judgement.decision === 'ask' && settled.refusal === null) countReads(agent, checked);
  return settled;
}

/** Authorizes a command as the user has written it: rules and capabilities can still refuse it. */
export function authorizeEdited(agent: Agent, checked: Checked): { refusal: string | null } {
  const judgement = judge(checked, situationOf(agent));
  if (judgement.decision === 'deny') {
    const reason =
      judgement.why === '' ? `a rule of this application forbids ${checked.tool.name} here` : judgement.why;
    return { refusal: `Refused: ${reason}. Find another way.` };
  }
  countReads(agent, checked);
  return { refusal: null };
}

/** Counts the addresses that a command reads. */
function countReads(agent: Agent, checked: Checked): void {
  if (checked.tool.effect !== 'egress-read') return;
  const { toolState, sourceOf } = situationOf(agent);
  for (const address of placeOf(checked, { toolState }).addresses) {
    const reading = { isNamed: sourceOf(address) === 'user', before: sharedReads(agent) };
    agent.state.reads = withRead(agent.state.reads ?? {}, address, reading);
  }
}

/** The files of a command that has run, and what it did with them. */
interface ExecutedChanges {
  files: StagedFiles;
  touched: Touched;
  /** Its changes are stored. */
  keeps: boolean;
  before: Authorization;
}

/** Returns whether the files that a command read or changed can need an authorization of their own. */
export function judgesFiles({ settings, state }: Agent): boolean {
  return settings.capabilities !== null || settings.rules.length > 0 || state.untrusted !== undefined;
}

/** Authorizes, before they are committed, the files that a command read or changed without naming them. */
export async function authorizeChanges(
  agent: Agent,
  checked: Checked,
  callId: string,
  run: Run,
  { files, touched: all, keeps, before }: ExecutedChanges,
): Promise<Authorization> {
  const touched = keeps ? all : { read: all.read, changed: [], overwritten: [] };
  const judged = judgeFiles(checked, situationOf(agent), touched, before.asked);
  const denied = judged.find(({ decision }) => decision === 'deny');
  if (denied !== undefined) return settle(agent, checked, denied, { callId, run, changes: [], needed: null });
  const asking = judged.filter(({ decision }) => decision === 'ask');
  const lifetime = shortestLifetime(asking);
  const first = asking.find((each) => each.lifetime === lifetime);
  if (first === undefined) return before;
  const paths = [...new Set(asking.flatMap(({ path }) => path ?? []))];
  const [only = null] = paths;
  const path = paths.length > 1 ? JSON.stringify(paths) : only; // no path looks like a list
  const changes = await files.differences(paths, describeBytes);
  return settle(agent, checked, { ...first, path }, { callId, run, changes, needed: null });
}

/** Returns which words of the user a command quotes to somebody who may not know them. */
function quotedBy(agent: Agent, checked: Checked): string | null {
  const { settings, state, registry } = agent;
  const witnesses = witnessesOf(agent);
  const { tool, command } = checked;
  const { addresses } = placeOf(checked, { toolState: state.tools });
  const isNamed = (address: string): boolean => sourceOf(address, witnesses, settings.application) === 'user';
  const hasOneReceiver = tool.effect === 'egress-read' && addresses.length === 0;
  const isToReceiver = (name: string): boolean =>
    name === tool.name || (tool.service !== undefined && registry.get(name)?.service === tool.service);
  const known = [
    ...wordsOfUntrusted(witnesses),
    ...addresses.filter(isNamed),
    ...(hasOneReceiver ? textsSentWith(isToReceiver, agent.memory.get(), state.turn?.trace.commands) : []),
  ];
  return quotedWords(command.args, [...settings.words, ...wordsOfUser(witnesses)], known);
}

/** Returns messages that show who named an address: those of the callers come first. */
function witnessesOf({ memory, caller }: Agent): readonly Message[] {
  return caller === null ? memory.get() : [...witnessesOf(caller), ...memory.get()];
}

/** Returns what a decision depends on besides the command. */
export function situationOf(agent: Agent): Situation {
  const { ruleName: role, registry, state } = agent;
  const { rules, capabilities, application } = agent.settings;
  const { location } = globalThis as { location?: { origin: string } };
  return {
    role,
    rules,
    capabilities,
    ownOrigin: location?.origin,
    aliasesOf: (tool) => registry.aliasesOf(tool),
    untrusted: state.untrusted,
    private: state.private ?? null,
    quotedBy: (checked) => quotedBy(agent, checked),
    toolState: state.tools,
    sourceOf: (address) => sourceOf(address, witnessesOf(agent), application),
    readsOf: (key) => readsOf(sharedReads(agent), key),
  };
}
