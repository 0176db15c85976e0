import type { AgentEvent, RunStatus } from '../base/events.js';
import type { Message } from '../base/message.js';
import type { ChatRequest } from '../base/model.js';
import type { Role } from '../role/role.js';
import { Bench, type BenchOptions, type RememberedMessage, type RememberedPlan } from './bench.js';

export type RunRoleOptions = BenchOptions;

/** What a run left behind; everything is plain data. */
export interface RunRoleResult {
  outcome: {
    status: RunStatus;
    summary: string;
    message: { role: string; content: string; causeBy: string; sentFrom: string } | null;
  };
  /** What the role remembers, in order. */
  memory: RememberedMessage[];
  plan: RememberedPlan;
  /** All text files at the end, by path. */
  files: Record<string, string>;
  /** Every request the role's model got. */
  requests: ChatRequest[];
  human: { questions: string[]; replies: string[] };
  events: AgentEvent[];
}

const benches = new WeakMap<Role, Bench>();

/**
 * Runs a role on one requirement without worker, browser or real clock, over stores in memory. Called again with the same role it
 * goes on in the same session, as a person's next message would; the result tells of the last call only where it lists calls.
 *
 * @throws RoleZeroError when the role's scripted model is asked more than it was given. Every other failure is an outcome.
 */
export async function runRole(
  role: Role,
  input: string | Message,
  options: RunRoleOptions = {},
): Promise<RunRoleResult> {
  const bench = benches.get(role) ?? (await Bench.open({ roles: [role] }, options.human ?? true));
  benches.set(role, bench);
  const { status, summary } = await bench.run(input, options);
  const message = status === 'done' || status === 'exhausted' ? (role.outcome?.message ?? null) : null;
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
