import { describeValue } from '../core/describe-value.js';
import { RoleZeroError } from '../core/error.js';
import { isRecord } from '../core/json.js';
import type { AgentEvent, RunStatus } from '../core/events.js';
import type { Message } from '../core/message.js';
import type { ChatRequest } from '../core/model.js';
import type { TeamRole } from '../agent/runtime/team-role.js';
import { Bench, type BenchOptions, type RememberedMessage, type RememberedPlan } from './bench.js';

export type RunRoleOptions = BenchOptions;

/** Result of a run, as plain data. */
export interface RunRoleResult {
  outcome: {
    status: RunStatus;
    summary: string;
    message: { role: string; content: string; causeBy: string; sentFrom: string } | null;
  };
  /** The memory of the role, in order. */
  memory: RememberedMessage[];
  plan: RememberedPlan;
  /** All text files at the end, by path. */
  files: Record<string, string>;
  /** Every request to the role's model. */
  requests: ChatRequest[];
  human: { questions: string[]; replies: string[] };
  events: AgentEvent[];
}

const benches = new WeakMap<TeamRole, Bench>();

/**
 * Runs a role on one request without worker, browser or real clock, with stores in memory. Another call with the same role continues the
 * same session, like the user's next message. The lists of calls and events contain the last call only.
 *
 * @throws RoleZeroError `invalid` for a value that is not a role, and when the role's scripted model has no reply left. Every other failure
 * is an outcome.
 */
export async function runRole(
  role: TeamRole,
  input: string | Message,
  options: RunRoleOptions = {},
): Promise<RunRoleResult> {
  checkRole(role);
  const bench = benches.get(role) ?? (await Bench.open({ roles: [role] }, options.human ?? true));
  benches.set(role, bench);
  const { status, summary } = await bench.run(input, options);
  const message = status === 'done' || status === 'exhausted' ? (role.agent.outcome?.message ?? null) : null;
  return {
    outcome: {
      status,
      summary,
      message: message && {
        role: message.role,
        content: message.content,
        causeBy: message.causeBy,
        sentFrom: message.sentFrom,
      },
    },
    memory: bench.memory(),
    plan: bench.plan(),
    files: await bench.files(),
    requests: [...bench.requests],
    human: { questions: [...bench.questions], replies: bench.replies },
    events: [...bench.events],
  };
}

/** @throws RoleZeroError `invalid` for a value that is not a role. */
function checkRole(role: unknown): void {
  if (isRecord(role) && isRecord(role['agent'])) return;
  throw new RoleZeroError(
    'invalid',
    `runRole() needs a role, such as new RoleZero({ model }), but was given ${describeValue(role)}.`,
  );
}
