import { RoleZeroError } from '../base/error.js';
import type { AgentEvent, RunStatus } from '../base/events.js';
import type { Message, MessageData } from '../base/message.js';
import type { ChatRequest } from '../base/model.js';
import type { Role } from '../role/role.js';
import { Session } from '../session/session.js';
import { memoryStorage } from '../storage/memory-storage.js';

export interface RunRoleOptions {
  /** What the person answers, one question after the other; when they are used up the question stays open. */
  answers?: readonly string[];
  /** Files the workspace starts with. */
  files?: Readonly<Record<string, string | Uint8Array>>;
  /** False: nobody is there to talk to. Default true. */
  human?: boolean;
}

/** What a run left behind; everything is plain data. */
export interface RunRoleResult {
  outcome: {
    status: RunStatus;
    summary: string;
    message: { role: string; content: string; causeBy: string; sentFrom: string } | null;
  };
  /** What the role remembers, in order. */
  memory: Omit<MessageData, 'metadata' | 'instructContent'>[];
  plan: {
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
  };
  /** All text files at the end, by path. */
  files: Record<string, string>;
  /** Every request the role's model got. */
  requests: ChatRequest[];
  human: { questions: string[]; replies: string[] };
  events: AgentEvent[];
}

/** 2026-01-01 00:00:00 UTC: the clock of `runRole` stands still. */
const FIXED_TIME = Date.UTC(2026, 0, 1);

interface Bench {
  session: Session;
  answers: string[];
  questions: string[];
  events: AgentEvent[];
  requests: ChatRequest[];
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
  const bench = benches.get(role) ?? (await openBench(role, options.human ?? true));
  benches.set(role, bench);
  bench.answers = [...(options.answers ?? [])];
  for (const list of [bench.questions, bench.events, bench.requests]) list.length = 0;
  for (const [path, content] of Object.entries(options.files ?? {}))
    await bench.session.files.write(path, content);
  bench.events.length = 0;
  const run = await bench.session.send(input);
  const { status, summary, error } = await run.result;
  if (error?.detail?.['scriptExhausted'] === true) throw RoleZeroError.fromData(error);
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
    memory: bench.session.messages().map(({ id, role: of, content, causeBy, sentFrom, sendTo }) => {
      return { id, role: of, content, causeBy, sentFrom, sendTo };
    }),
    plan: plainPlan(bench.session),
    files: await textFiles(bench.session),
    requests: [...bench.requests],
    human: {
      questions: [...bench.questions],
      replies: bench.events.flatMap((event) => (event.type === 'human-reply' ? [event.text] : [])),
    },
    events: [...bench.events],
  };
}

async function openBench(role: Role, human: boolean): Promise<Bench> {
  const questions: string[] = [];
  const events: AgentEvent[] = [];
  const requests: ChatRequest[] = [];
  const bench: Omit<Bench, 'session'> = { answers: [], questions, events, requests };
  const session = await Session.open({
    storage: memoryStorage(),
    name: 'test',
    roles: [role],
    now: () => FIXED_TIME,
    emit: (event) => events.push(event),
    onRequest: (request) => requests.push(request),
    askPerson: human
      ? async (question) => {
          questions.push(question.text);
          return bench.answers.shift() ?? null;
        }
      : null,
  });
  return Object.assign(bench, { session });
}

function plainPlan(session: Session): RunRoleResult['plan'] {
  const { goal, currentTaskId, tasks } = session.plan();
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

async function textFiles(session: Session): Promise<Record<string, string>> {
  const infos = (await session.files.list('/')).filter((info) => info.type === 'file');
  return Object.fromEntries(
    await Promise.all(infos.map(async ({ path }) => [path, await session.files.read(path)] as const)),
  );
}
