import { RoleZeroError } from '../../core/error.js';
import type { Permission } from '../../core/events.js';
import type { FileDifference } from '../../core/files.js';
import { sha256 } from '../../core/sha256.js';
import { visible } from '../../core/visible.js';
import type { Tool } from '../../core/tool.js';
import type { Judgement } from '../policy/judge.js';
import { targetOf, type Checked } from '../policy/situation.js';
import { shownCommand, type NeededRequest } from '../policy/shown-command.js';
import { argumentSchema } from '../../tools/registry.js';
import type { Agent } from '../runtime/agent.js';
import { askPermission, isPermission, isYes } from '../runtime/ask-user.js';
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
  /** A yes covers this command alone. */
  isExact: boolean;
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
  if (known !== null) return answered(known, tool, judgement, approval);
  const details = detailsOf(checked, judgement, about, approval);
  if (details.length > MAX_DETAILS) {
    const length = `${details.length} characters, more than the ${MAX_DETAILS} that can be shown`;
    const reason = `${tool.name} needs the user's approval here, and its request has ${length}`;
    return refused(judgement, null, `Refused: ${reason}. Use smaller steps.`);
  }
  await pauseWhenMany(agent, tool, about);
  const answer = await askApproval(agent, checked, about, approval, details);
  if (answer === null) {
    const reason = `${tool.name} needs the user's approval, and no user is connected`;
    return refused(judgement, 'no-user', `Refused: ${reason}.`);
  }
  const isYes = isPermission(answer);
  agent.approvals.decide(approval.grant, lifetime, isYes);
  return answered(isYes, tool, judgement, approval);
}

/** Returns the authorization by a decision of the user. */
function answered(isYes: boolean, tool: Tool, judgement: Judgement, { target }: Approval): Authorization {
  if (!isYes)
    return refused(
      judgement,
      'no',
      `Refused by the user: ${tool.name} was not run. Ask what they want instead.`,
    );
  return { refusal: null, asked: true, permission: permissionOf(judgement, 'yes'), target };
}

function refused(judgement: Judgement, answer: Permission['answer'], refusal: string): Authorization {
  return { refusal, asked: false, permission: permissionOf(judgement, answer), target: null };
}

function permissionOf({ decision, why, lifetime }: Judgement, answer: Permission['answer']): Permission {
  return { decision, why, answer, lifetime };
}

function approvalOf(
  { name: role, state }: Agent,
  checked: Checked,
  { lifetime, origin, path, isOfService = false, isOfLinks = false }: Judgement,
  { changes, needed }: About,
): Approval {
  const { tool, command } = checked;
  const target = targetOf(checked, { toolState: state.tools });
  const definition = definitionOf(tool);
  const shown = JSON.stringify([changes, target, needed, definition]);
  const exact = sha256(canonical([{ name: tool.name, args: command.args }]) + shown);
  const isExact = lifetime === 'once' || ((path ?? origin) === null && !isOfService);
  const grant = JSON.stringify([
    role,
    tool.name,
    ...(isExact ? [exact] : [path, origin, target, definition, isOfLinks]),
  ]);
  return { target, exact, isExact, grant };
}

const definitions = new WeakMap<Tool, string>();

/** Returns a hash of what a tool says that it does. A tool that has changed since an approval is another one. */
function definitionOf(tool: Tool): string {
  const known = definitions.get(tool);
  if (known !== undefined) return known;
  const { name, description, effect = 'session' } = tool;
  const definition = sha256(JSON.stringify([name, description, effect, argumentSchema(tool)]));
  definitions.set(tool, definition);
  return definition;
}

/** Returns the answer of the user; null when no user is connected. */
function askApproval(
  agent: Agent,
  { tool, command }: Checked,
  { run, callId }: About,
  { exact }: Approval,
  details: string,
): Promise<string | null> {
  return askPermission(agent, run, approvalKey(callId, exact), {
    kind: 'approval',
    text: `May ${agent.name} run ${tool.name}?`,
    options: ['yes', 'no'],
    command,
    details,
  });
}

/** Key of the question whether a command may run. */
export function approvalKey(callId: string, exact: string): string {
  return `approve:${callId}:${exact}`;
}

/** Describes a binary file to the user. */
export function describeBytes(bytes: Uint8Array): string {
  return `(no text: ${bytes.length} bytes, SHA-256 ${sha256(bytes)})`;
}

/** Returns everything the user needs to decide: the reason, what the answer covers, and the whole command. */
function detailsOf(
  { tool, command }: Checked,
  { why, lifetime, origin, path, isOfLinks = false }: Judgement,
  { changes, needed }: About,
  { isExact, target }: Approval,
): string {
  const places = [path, origin].filter(isText).map(visible).join(' and ');
  const on = target === null ? '' : ' of this target';
  const duration = lifetime === 'run' ? 'rest of this run' : 'whole session';
  return [
    ...(why === '' ? [] : [`Asked because ${why}.`]),
    ...(lifetime === 'once' ? [] : [`A yes applies to the ${duration}.`]),
    ...(lifetime === 'once' || isExact
      ? []
      : [
          `It covers every ${tool.name}${on}${places === '' ? '' : ` at ${places}`}${isOfLinks ? ' whose address you or others named' : ''}.`,
        ]),
    shownCommand(command.args, { origin, target, changes, needed }),
  ].join('\n');
}

/** @throws RoleZeroError `aborted` when the user does not want to answer more requests. */
async function pauseWhenMany(agent: Agent, tool: Tool, { callId, run }: About): Promise<void> {
  const { approvals, name } = agent;
  const { step } = agent.turn();
  const recent = Object.entries(approvals.asked).filter(
    ([id, at]) => id !== callId && at > step - AMONG_STEPS,
  );
  if (recent.length >= MANY) {
    const answer = await askPermission(agent, run, `many:${step}:${recent.length}`, {
      kind: 'question',
      text: `${name} has asked for permission ${recent.length} times in its last steps, and now wants to run ${tool.name}. Check what it does before you continue. Continue?`,
      options: ['yes', 'no'],
    });
    if (answer !== null && !isYes(answer))
      throw new RoleZeroError('aborted', 'The user stopped the agent because of its many approval requests.');
    recent.length = 0;
  }
  approvals.setAsked(Object.fromEntries([...recent, [callId, step]]));
}

function isText(value: string | null): value is string {
  return value !== null;
}
