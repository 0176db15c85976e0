import type { AgentEvent, RunResult } from '../core/events.js';
import type { Inspection } from '../core/inspection.js';
import type { Message } from '../core/message.js';
import type { ChatRequest } from '../core/model.js';
import type { Team } from '../session/team.js';
import { Bench, type BenchOptions, type RememberedMessage, type RememberedPlan } from './bench.js';

export interface RunTeamOptions extends BenchOptions {
  /** Sends to this role directly instead of the leader, else the first role. */
  to?: string;
}

/** Result of a team's run, as plain data. */
export interface RunTeamResult {
  outcome: RunResult;
  /** The memory and the plan of each role, by its name. */
  roles: Record<string, { memory: RememberedMessage[]; plan: RememberedPlan }>;
  /** The recipients of each message, and the reasons why roles reacted to it. */
  inspection: Inspection;
  /** All text files at the end, by path. */
  files: Record<string, string>;
  /** Every request to a model; a scripted model also lists its own. */
  requests: ChatRequest[];
  human: { questions: string[]; replies: string[] };
  events: AgentEvent[];
}

const benches = new WeakMap<Team, Bench>();

/**
 * Runs a team on one request until all roles are idle, like `runRole` for one role. Another call with the same team object continues the
 * same session.
 *
 * @example await runTeam({ leader: new TeamLeader({ model }), roles: [engineer] }, 'write hi')
 * @throws RoleZeroError when a scripted model has no reply left; `not-found` when no role is named `to`.
 */
export async function runTeam(
  team: Team,
  input: string | Message,
  { to, ...options }: RunTeamOptions = {},
): Promise<RunTeamResult> {
  const bench = benches.get(team) ?? (await Bench.open(team, options.human ?? true));
  benches.set(team, bench);
  const outcome = await bench.run(input, options, to === undefined ? {} : { to });
  const names = bench.session.environment.roleNames;
  return {
    outcome,
    roles: Object.fromEntries(
      names.map((name) => [name, { memory: bench.memory(name), plan: bench.plan(name) }]),
    ),
    inspection: bench.session.inspect(),
    files: await bench.files(),
    requests: [...bench.requests],
    human: { questions: [...bench.questions], replies: bench.replies },
    events: [...bench.events],
  };
}
