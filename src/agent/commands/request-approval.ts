import { RoleZeroError } from '../../core/error.js';
import type { Permission } from '../../core/events.js';
import type { FileDifference } from '../../core/files.js';
import { sha256 } from '../../core/sha256.js';
import type { Tool } from '../../core/tool.js';
import { targetOf, type Checked, type Judgement } from '../policy/judge.js';
import { shownCommand, visible } from '../policy/shown-command.js';
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
  target?: string | null;
}

/** Allowed without a question. */
export const GRANTED: Authorization = { refusal: null, asked: false, permission: null };

/** The command that a decision is about, and the changes of files to show. */
interface About {
  callId: string;
  run: Run;
  changes: readonly FileDifference[];
}

/** Turns a decision into an authorization; asks the user when the decision says so and no earlier answer covers it. */
export async function settle(
  agent: Agent,
  checked: Checked,
  judgement: Judgement,
  about: About,
): Promise<Authorization> {
  const { decision, why, lifetime, origin, path } = judgement;
  const { tool, command } = checked;
  if (decision === 'allow') return GRANTED;
  const target = targetOf(checked, { toolState: agent.state.tools });
  const authorization = (answer: Permission['answer'], refusal: string | null): Authorization => ({
    refusal,
    asked: answer === 'yes',
    permission: { decision, why, answer, lifetime },
    target: answer === 'yes' ? target : null,
  });
  if (decision === 'deny') {
    const reason = why === '' ? `a rule of this application forbids ${tool.name} here` : why;
    return authorization(null, `Refused: ${reason}. Find another way.`);
  }
  const exact = sha256(
    canonical([{ name: tool.name, args: command.args }]) + JSON.stringify([about.changes, target]),
  );
  const isExact = lifetime === 'once' || (path ?? origin) === null;
  const grant = JSON.stringify([agent.name, tool.name, ...(isExact ? [exact] : [path, origin, target])]);
  const known = agent.approvals.decisionOn(grant, lifetime);
  if (known !== null) return authorization(known ? 'yes' : 'no', known ? null : refusedBy(tool));
  const details = detailsOf(checked, judgement, { isExact, target, changes: about.changes });
  if (details.length > MAX_DETAILS)
    return authorization(
      null,
      `Refused: ${tool.name} needs the user's approval here, and its request has ${details.length} characters, more than the ${MAX_DETAILS} that can be shown. Use smaller steps.`,
    );
  await pauseWhenMany(agent, tool, about);
  const answer = await askPermission(agent, about.run, `approve:${about.callId}:${exact}`, {
    kind: 'approval',
    text: `May ${agent.name} run ${tool.name}?`,
    options: ['yes', 'no'],
    command,
    details,
  });
  if (answer === null)
    return authorization(
      'nobody',
      `Refused: ${tool.name} needs the user's approval, and no user is connected.`,
    );
  const yes = isPermission(answer);
  agent.approvals.decide(grant, lifetime, yes);
  return authorization(yes ? 'yes' : 'no', yes ? null : refusedBy(tool));
}

/** Describes a binary file to the user. */
export function describeBytes(bytes: Uint8Array): string {
  return `(no text: ${bytes.length} bytes, SHA-256 ${sha256(bytes)})`;
}

/** Returns everything the user needs to decide: the reason, what the answer covers, and the whole command. */
function detailsOf(
  { tool, command }: Checked,
  { why, lifetime, origin, path }: Judgement,
  {
    isExact,
    target,
    changes,
  }: { isExact: boolean; target: string | null; changes: readonly FileDifference[] },
): string {
  const places = [path, origin].filter(isText).map(visible).join(' and ');
  const on = target === null ? '' : ' of this target';
  const duration = lifetime === 'run' ? 'rest of this run' : 'whole session';
  return [
    ...(why === '' ? [] : [`Asked because ${why}.`]),
    ...(lifetime === 'once' ? [] : [`A yes applies to the ${duration}.`]),
    ...(lifetime === 'once' || isExact ? [] : [`It covers every ${tool.name}${on} at ${places}.`]),
    shownCommand(command.args, { origin, target, changes }),
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

function refusedBy(tool: Tool): string {
  return `Refused by the user: ${tool.name} was not run. Ask what they want instead.`;
}

function isText(value: string | null): value is string {
  return value !== null;
}
