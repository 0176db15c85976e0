import { RoleZeroError } from '../core/error.js';
import type { AgentEvent, RunResult } from '../core/events.js';
import type { Message, MessageData } from '../core/message.js';
import type { ChatRequest } from '../core/model.js';
import type { RequestOptions } from '../core/output.js';
import { Session } from '../session/session.js';
import type { Team } from '../session/team.js';
import { memoryStorage } from '../storage/memory-storage.js';

/** Options of a run besides its request. */
export interface BenchOptions {
  /** Answers of the user, one per question. When they are used up, a question stays open. */
  answers?: readonly string[];
  /** Files the workspace starts with. */
  files?: Readonly<Record<string, string | Uint8Array>>;
  /** False: no user is connected. Default true. */
  human?: boolean;
}

/** The fields of a message that a test compares. */
export type RememberedMessage = Omit<MessageData, 'metadata' | 'instructContent'>;

/** The fields of a plan that a test compares. */
export interface RememberedPlan {
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
export class Bench {
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
