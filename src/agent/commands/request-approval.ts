import { defined } from '../../core/defined.js';
import { RoleZeroError } from '../../core/error.js';
import type { Permission } from '../../core/events.js';
import type { FileDifference } from '../../core/files.js';
import type { ApprovalFacts, Question } from '../../core/human.js';
import { type JsonValue, isRecord } from '../../core/json.js';
import { sha256 } from '../../core/sha256.js';
import { visible } from '../../core/visible.js';
import type { Tool } from '../../core/tool.js';
import type { Judgement } from '../policy/judge.js';
import { targetOf, type Checked } from '../policy/situation.js';
import { shownCommand, type NeededRequest } from '../policy/shown-command.js';
import { argumentSchema, type ToolRegistry } from '../../tools/registry.js';
import type { Agent } from '../runtime/agent.js';
import { factsOf, phraseOf, plainCoverage, plainDisclosure, plainReason } from '../policy/plain-words.js';
import { readsOf, siteKey, type ReadCounts } from '../policy/reads.js';
import { LIFETIMES, shorterLifetime, type Lifetime } from '../policy/policy.js';
import { askPermission, isYes } from '../runtime/ask-user.js';
import type { Run } from '../runtime/outcome.js';
import { canonical } from './repetitions.js';

/** After this many approval requests within this many steps, the user is asked whether to continue: users stop reading them. */
const MANY = 5;
const AMONG_STEPS = 10;
/** Maximum characters of an approval request. Nothing is left out of it, so a longer one is refused. */
const MAX_DETAILS = 1_000_000;

/** Permission to run a command, or the reason for its refusal. */
export interface Authorization {
  refusal: string | null;
  /** The user has approved it. */
  asked: boolean;
  /** Recorded in the trace; null when no decision was needed. */
  permission: Permission | null;
  /** What the arguments referred to when the user approved it; null without an approval. */
  target: string | null;
  /** Other arguments with which the user allows it; absent when the user has not changed them. */
  edited?: Record<string, JsonValue>;
}

/** Allowed without a question. */
export const GRANTED: Authorization = { refusal: null, asked: false, permission: null, target: null };

/** The command that a decision is about, and the changes of files to show. */
interface About {
  callId: string;
  run: Run;
  changes: readonly FileDifference[];
  /** The request that the command was about to send, when it has run without one. */
  needed: NeededRequest | null;
}

/** What an approval request is about, and what a yes covers. */
interface Approval {
  /** What the arguments refer to; see `Tool.target`. */
  target: string | null;
  /** Hash of the command, the definition of its tool, its target, and everything else that the user is shown. */
  exact: string;
  /** See `ApprovalFacts`. */
  covers: ApprovalFacts['covers'];
  /** Key of the user's decision. Commands that one answer covers have the same key. */
  grant: string;
}

/** Turns a decision into an authorization; asks the user when the decision says so and no earlier answer covers it. */
export async function settle(
  agent: Agent,
  checked: Checked,
  judgement: Judgement,
  about: About,
): Promise<Authorization> {
  const { decision, why, lifetime } = judgement;
  const { tool } = checked;
  if (decision === 'allow') return GRANTED;
  if (decision === 'deny') {
    const reason = why === '' ? `a rule of this application forbids ${tool.name} here` : why;
    return refused(judgement, null, `Refused: ${reason}. Find another way.`);
  }
  const approval = approvalOf(agent, checked, judgement, about);
  const known = agent.approvals.decisionOn(approval.grant, lifetime);
  if (known !== null) return answered({ isYes: known, reason: '' }, tool, judgement, approval);
  const content = shownCommand(checked.command.args, {
    ...about,
    origin: judgement.origin,
    target: approval.target,
  });
  const facts: ApprovalFacts = {
    ...(await factsAbout(agent, checked, judgement)),
    ...defined({ covers: approval.covers }),
  };
  const reason = plainReason(facts, agent.name);
  const disclosure = plainDisclosure(facts, agent.name);
  const coverage = plainCoverage(facts);
  const details = [reason, disclosure, coverage, content]
    .filter((part) => part !== undefined && part !== '')
    .join('\n');
  if (details.length > MAX_DETAILS) {
    const length = `${details.length} characters, more than the ${MAX_DETAILS} that can be shown`;
    const reason = `${tool.name} needs the user's approval here, and its request has ${length}`;
    return refused(judgement, null, `Refused: ${reason}. Use smaller steps.`);
  }
  await pauseWhenMany(agent, about);
  const question: Omit<Question, 'id' | 'role'> = {
    kind: 'approval',
    text: `May ${agent.name} ${phraseOf(facts)}?`,
    options: ['yes', 'no'],
    command: checked.command,
    choices: LIFETIMES.slice(0, LIFETIMES.indexOf(lifetime) + 1),
    reason,
    ...defined({ disclosure, coverage }),
    facts,
    content,
    details,
  };
  const answer = await askPermission(agent, about.run, approvalKey(about.callId, approval.exact), question);
  if (answer === null) {
    const reason = `${tool.name} needs the user's approval, and no user is connected`;
    return refused(judgement, 'no-user', `Refused: ${reason}.`);
  }
  const read = readAnswer(answer);
  const held = read.isYes ? shorterLifetime(read.lifetime, lifetime) : lifetime;
  agent.approvals.decide(approval.grant, {
    lifetime: held,
    isAllowed: read.isYes,
    text: phraseOf(facts),
  });
  return answered(read, tool, { ...judgement, lifetime: held }, approval);
}

/** Returns the authorization by a decision of the user. */
function answered(
  answer: { isYes: boolean; reason: string } | PermissionAnswer,
  tool: Tool,
  judgement: Judgement,
  { target }: Approval,
): Authorization {
  if (!answer.isYes) {
    const reason = 'reason' in answer ? answer.reason : '';
    const advice = reason === '' ? 'Ask what they want instead.' : `They say: ${reason}`;
    return refused(judgement, 'no', `Refused by the user: ${tool.name} was not run. ${advice}`);
  }
  const permission = permissionOf(judgement, 'yes');
  const edited = 'args' in answer ? answer.args : undefined;
  return { refusal: null, asked: true, permission, target, ...(edited === undefined ? {} : { edited }) };
}

function refused(judgement: Judgement, answer: Permission['answer'], refusal: string): Authorization {
  return { refusal, asked: false, permission: permissionOf(judgement, answer), target: null };
}

function permissionOf({ decision, why, lifetime }: Judgement, answer: Permission['answer']): Permission {
  return { decision, why, answer, lifetime };
}

function approvalOf(
  { name: role, state, registry }: Agent,
  checked: Checked,
  judgement: Judgement,
  { changes, needed }: About,
): Approval {
  const { tool, command } = checked;
  const target = targetOf(checked, { toolState: state.tools });
  const definition = definitionOf(tool);
  const shown = JSON.stringify([changes, target, needed, definition]);
  const exact = sha256(canonical([{ name: tool.name, args: command.args }]) + shown);
  const covers = coverageOf(tool, target, judgement);
  const { path, origin, isOfLinks = false } = judgement;
  const covered =
    covers === undefined
      ? [tool.name, exact]
      : 'service' in covers
        ? readersOf(registry, tool).map((each) => [each.name, definitionOf(each)])
        : [tool.name, path, origin, target, definition, isOfLinks];
  return { target, exact, covers, grant: JSON.stringify([role, ...covered]) };
}

/** Returns what a yes covers that lasts longer than once; undefined for the same command only. */
function coverageOf(
  { name, service }: Tool,
  target: string | null,
  { lifetime, origin, path, isOfLinks = false, isOfService = false }: Judgement,
): ApprovalFacts['covers'] {
  if (lifetime === 'once') return undefined;
  if (isOfService && service !== undefined) return { service: visible(service) };
  const places = [path, origin].filter(isPresent).map(visible);
  if (places.length === 0 && !isOfService) return undefined;
  return {
    tool: name,
    at: places.join(' and '),
    ...defined({ target: target ?? undefined, links: isOfLinks ? (true as const) : undefined }),
  };
}

/** Returns the tools that only read from the service of a tool. */
function readersOf(registry: ToolRegistry, { service }: Tool): Tool[] {
  return registry.tools.filter((each) => each.service === service && each.effect === 'egress-read');
}

const toolDefinitions = new WeakMap<Tool, string>();

/** Returns a hash of what a tool says that it does. A tool that has changed since an approval is another one. */
function definitionOf(tool: Tool): string {
  const known = toolDefinitions.get(tool);
  if (known !== undefined) return known;
  const { name, description, effect = 'session' } = tool;
  const definition = sha256(JSON.stringify([name, description, effect, argumentSchema(tool)]));
  toolDefinitions.set(tool, definition);
  return definition;
}

/** Returns what an approval request says, as data. */
async function factsAbout(agent: Agent, checked: Checked, judgement: Judgement): Promise<ApprovalFacts> {
  const { origin } = judgement;
  const { state } = agent;
  return factsOf(judgement, {
    tool: checked.tool,
    phrase: await phraseOfTool(checked),
    untrusted: state.untrusted ?? [],
    secrets: state.secrets ?? [],
    reads: origin === null ? 0 : readsOf(sharedReads(agent), siteKey(origin)),
  });
}

/** Returns the reads that count like those of an agent: its callers share them. */
export function sharedReads({ state, caller }: Agent): readonly ReadCounts[] {
  return [state.reads ?? {}, ...(caller === null ? [] : sharedReads(caller))];
}

/** Returns what the tool says that a command does; undefined when it does not say it, or cannot. */
async function phraseOfTool({ tool, input }: Checked): Promise<string | undefined> {
  try {
    const phrase = await tool.approval?.(input);
    return phrase === undefined || phrase.trim() === '' ? undefined : phrase;
  } catch {
    return undefined; // the exact content is shown in any case
  }
}

/** Key of the question whether a command may run. */
function approvalKey(callId: string, exact: string): string {
  return `approve:${callId}:${exact}`;
}

/** Describes a binary file to the user. */
export function describeBytes(bytes: Uint8Array): string {
  return `(no text: ${bytes.length} bytes, SHA-256 ${sha256(bytes)})`;
}

/** @throws RoleZeroError `aborted` when the user does not want to answer more requests. */
async function pauseWhenMany(agent: Agent, { callId, run }: About): Promise<void> {
  const { approvals, name } = agent;
  const { step } = agent.turn();
  const recent = Object.entries(approvals.asked).filter(
    ([id, at]) => id !== callId && at > step - AMONG_STEPS,
  );
  if (recent.length >= MANY) {
    const answer = await askPermission(agent, run, `many:${step}:${recent.length}`, {
      kind: 'question',
      text: `${name} has asked for permission ${recent.length} times in a short time. Check what it does before you allow more. Continue?`,
      options: ['yes', 'no'],
    });
    if (answer !== null && !isYes(answer))
      throw new RoleZeroError('aborted', 'The user stopped the agent because of its many approval requests.');
    recent.length = 0;
  }
  approvals.setAsked(Object.fromEntries([...recent, [callId, step]]));
}

function isPresent(value: string | null): value is string {
  return value !== null;
}

/* The answers of a user to an approval request, as text: they are stored and sent like any answer. */

/** What the user decided. */
type PermissionAnswer =
  | {
      isYes: true;
      /** Undefined: as long as is offered. */ lifetime?: Lifetime;
      args?: Record<string, JsonValue>;
    }
  | { isYes: false; reason: string };

/** Begins an answer with other arguments. */
const EDITED = 'edited ';
/** Maximum characters of a reason that the model reads. */
const MAX_REASON_CHARACTERS = 2_000;

/**
 * Reads an answer: `yes`, `once`, `run`, or `session`; `edited {…}` with other arguments, for once; everything else is a no, and a reason
 * unless it says only `no`.
 */
export function readAnswer(answer: string): PermissionAnswer {
  const text = answer.trim();
  const word = text.toLowerCase();
  if (word === 'yes') return { isYes: true };
  const lifetime = LIFETIMES.find((each) => each === word);
  if (lifetime !== undefined) return { isYes: true, lifetime };
  if (text.startsWith(EDITED)) {
    const args = argumentsIn(text.slice(EDITED.length));
    return args === null ? { isYes: false, reason: '' } : { isYes: true, lifetime: 'once', args };
  }
  const reason = text.replace(/^no(?![\p{L}\p{N}])[\s:,.!-]*/iu, '').slice(0, MAX_REASON_CHARACTERS);
  return { isYes: false, reason };
}

function argumentsIn(text: string): Record<string, JsonValue> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? (value as Record<string, JsonValue>) : null;
  } catch {
    return null;
  }
}
