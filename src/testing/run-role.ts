import { defined } from '../core/defined.js';
import { describeValue } from '../core/describe-value.js';
import { RoleZeroError } from '../core/error.js';
import type { AgentEvent, RunStatus, RunResult } from '../core/events.js';
import type { Inspection } from '../core/inspection.js';
import { isRecord } from '../core/json.js';
import type { Message, MessageData } from '../core/message.js';
import type { ChatRequest } from '../core/model.js';
import type { OutputSchema, RequestOptions } from '../core/output.js';
import { Outputs } from '../core/outputs.js';
import type { Temperature } from '../core/request-settings.js';
import type { TeamRole } from '../agent/runtime/work.js';
import { Session } from '../session/session.js';
import type { Team } from '../session/team.js';
import { memoryStorage } from '../storage/memory-storage.js';

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

const roleBenches = new WeakMap<TeamRole, Bench>();

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
  const bench = roleBenches.get(role) ?? (await Bench.open({ roles: [role] }, options.human ?? true));
  roleBenches.set(role, bench);
  const typed = options.output === undefined ? null : new Outputs().add(options.output);
  const wanted = defined({ output: typed?.wanted, temperature: options.temperature });
  const { status, summary, output } = await bench.run(input, options, wanted);
  const message = status === 'done' || status === 'exhausted' ? (role.agent.outcome?.message ?? null) : null;
  return {
    outcome: {
      status,
      summary,
      message: message && comparedFields(message),
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
function comparedFields({
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

interface RunTeamOptions extends BenchOptions {
  /** Sends to this role directly instead of the leader, else the first role. */
  to?: string;
}

/** Result of a team's run, as plain data. */
interface RunTeamResult {
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

const teamBenches = new WeakMap<Team, Bench>();

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
  const bench = teamBenches.get(team) ?? (await Bench.open(team, options.human ?? true));
  teamBenches.set(team, bench);
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

/** Options of a run besides its request. */
interface BenchOptions {
  /** Answers of the user, one per question. When they are used up, a question stays open. */
  answers?: readonly string[];
  /** Files the workspace starts with. */
  files?: Readonly<Record<string, string | Uint8Array>>;
  /** False: no user is connected. Default true. */
  human?: boolean;
}

/** The fields of a message that a test compares. */
type RememberedMessage = Omit<MessageData, 'metadata' | 'instructContent'>;

/** The fields of a plan that a test compares. */
interface RememberedPlan {
  goal: string;
  currentTaskId: string;
  tasks: {
    taskId: string;
    dependentTaskIds: string[];
    instruction: string;
    taskType: string;
    assignee: string;
    isFinished: boolean;
  }[];
}

/** 2026-01-01 00:00:00 UTC: the clock of a bench does not advance. */
const FIXED_TIME = Date.UTC(2026, 0, 1);

/** A session without worker, browser or real clock. Records everything that happens in it. */
class Bench {
  readonly questions: string[] = [];
  readonly events: AgentEvent[] = [];
  readonly requests: ChatRequest[] = [];
  #answers: string[] = [];
  #session: Session | null = null;

  static async open(team: Team, human: boolean): Promise<Bench> {
    const bench = new Bench();
    bench.#session = await Session.open({
      ...team,
      storage: memoryStorage(),
      name: 'test',
      now: () => FIXED_TIME,
      emit: (event) => bench.events.push(event),
      onRequest: (request) => bench.requests.push(request),
      askUser: human
        ? async (question) => {
            bench.questions.push(question.text);
            return bench.#answers.shift() ?? null;
          }
        : null,
    });
    return bench;
  }

  get session(): Session {
    if (this.#session === null) throw new RoleZeroError('internal', 'The bench is not open.');
    return this.#session;
  }

  /** Runs one request to its end. The lists contain this run only. @throws RoleZeroError when a script was too short. */
  async run(input: string | Message, options: BenchOptions, send: RequestOptions = {}): Promise<RunResult> {
    this.#answers = [...(options.answers ?? [])];
    for (const list of [this.questions, this.events, this.requests]) list.length = 0;
    for (const [path, content] of Object.entries(options.files ?? {}))
      await this.session.files.write(path, content);
    this.events.length = 0;
    const run = await this.session.send(input, send);
    const result = await run.result;
    if (result.error?.detail?.['scriptExhausted'] === true) throw RoleZeroError.fromData(result.error);
    return result;
  }

  memory(role?: string): RememberedMessage[] {
    return this.session.messages(role).map(({ id, role: of, content, causeBy, sentFrom, sendTo }) => {
      return { id, role: of, content, causeBy, sentFrom, sendTo };
    });
  }

  plan(role?: string): RememberedPlan {
    const { goal, currentTaskId, tasks } = this.session.plan(role);
    return {
      goal,
      currentTaskId,
      tasks: tasks.map(({ taskId, dependentTaskIds, instruction, taskType, assignee, isFinished }) => ({
        taskId,
        dependentTaskIds,
        instruction,
        taskType,
        assignee,
        isFinished,
      })),
    };
  }

  /** Returns all text files, by path. */
  async files(): Promise<Record<string, string>> {
    const infos = (await this.session.files.list('/')).filter((info) => info.type === 'file');
    return Object.fromEntries(
      await Promise.all(infos.map(async ({ path }) => [path, await this.session.files.read(path)] as const)),
    );
  }

  get replies(): string[] {
    return this.events.flatMap((event) => (event.type === 'human-reply' ? [event.text] : []));
  }
}
