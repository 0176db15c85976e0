import { defined } from '../core/defined.js';
import { describeValue } from '../core/describe-value.js';
import { RoleZeroError } from '../core/error.js';
import { isRecord } from '../core/json.js';
import type { AgentEvent, RunStatus } from '../core/events.js';
import type { Message } from '../core/message.js';
import type { ChatRequest } from '../core/model.js';
import type { OutputSchema } from '../core/output.js';
import { Outputs } from '../core/outputs.js';
import type { Temperature } from '../core/request-settings.js';
import type { TeamRole } from '../agent/runtime/work.js';
import { Bench, type BenchOptions, type RememberedMessage, type RememberedPlan } from './bench.js';

/** Options of `runRole`. */
export interface RunRoleOptions extends BenchOptions {
  /** Schema of a typed answer, as in `Session.send`. The model receives its JSON Schema. */
  output?: OutputSchema;
  /** Randomness of the replies to this request, as in `Session.send`. */
  temperature?: Temperature;
}

/** Result of a run, as plain data. */
export interface RunRoleResult {
  outcome: {
    status: RunStatus;
    summary: string;
    message: { role: string; content: string; causeBy: string; sentFrom: string } | null;
    /** The typed answer, when one was asked for and given. */
    output?: unknown;
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
 * @throws RoleZeroError `invalid` for a value that is not a role or a schema, and when the role's scripted model has no reply left;
 * `output-invalid` for an answer that fits the JSON Schema of `output` and not `output` itself. Every other failure is an outcome.
 */
export async function runRole(
  role: TeamRole,
  input: string | Message,
  options: RunRoleOptions = {},
): Promise<RunRoleResult> {
  checkRole(role);
  const bench = benches.get(role) ?? (await Bench.open({ roles: [role] }, options.human ?? true));
  benches.set(role, bench);
  const typed = options.output === undefined ? null : new Outputs().add(options.output);
  const wanted = defined({ output: typed?.wanted, temperature: options.temperature });
  const { status, summary, output } = await bench.run(input, options, wanted);
  const message = status === 'done' || status === 'exhausted' ? (role.agent.outcome?.message ?? null) : null;
  return {
    outcome: {
      status,
      summary,
      message: message && shown(message),
      ...defined({ output: output === undefined ? undefined : typed?.readOutput(output) }),
    },
    memory: bench.memory(),
    plan: bench.plan(),
    files: await bench.files(),
    requests: [...bench.requests],
    human: { questions: [...bench.questions], replies: bench.replies },
    events: [...bench.events],
  };
}

/** Returns the fields of a message that a test compares. */
function shown({
  role,
  content,
  causeBy,
  sentFrom,
}: Message): NonNullable<RunRoleResult['outcome']['message']> {
  return { role, content, causeBy, sentFrom };
}

/** @throws RoleZeroError `invalid` for a value that is not a role. */
function checkRole(role: unknown): void {
  if (isRecord(role) && isRecord(role['agent'])) return;
  throw new RoleZeroError(
    'invalid',
    `runRole() needs a role, such as new RoleZero({ model }), but was given ${describeValue(role)}.`,
  );
}
