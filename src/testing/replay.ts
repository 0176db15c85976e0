import { defined } from '../core/defined.js';
import { RoleZeroError } from '../core/error.js';
import type { AgentEvent, CallTrace, StepTrace } from '../core/events.js';
import type { Question } from '../core/human.js';
import { isRecord } from '../core/json.js';
import { messageFromRecord, resultsIn, type MessageData } from '../core/message.js';
import type { ChatChunk, ChatModel, ChatRequest } from '../core/model.js';
import type { SessionExport, Table } from '../core/store.js';
import type { RecordedCommand, RecordedOutcome } from '../agent/runtime/context.js';
import { readRowKey } from '../agent/runtime/journal.js';
import { readState, type RoleState } from '../agent/runtime/state.js';
import type { TeamRole } from '../agent/runtime/work.js';
import { Session } from '../session/session.js';
import type { Team } from '../session/team.js';
import { memoryStorage } from '../storage/memory-storage.js';
import { USER } from '../team/routing.js';

/** The properties of the recorded model that its callers see. */
type RecordedModelOptions = Partial<
  Pick<ChatModel, 'id' | 'contextWindow' | 'maxOutputTokens' | 'supports' | 'countTokens'>
>;

/** Returns a model that repeats the recorded replies for the role of that name. */
export type RecordedModels = (role: string, options?: RecordedModelOptions) => ChatModel;

export interface ReplayOptions {
  /** Files at the start of the session. Later changes by the user are not part of the recording. */
  files?: Readonly<Record<string, string | Uint8Array>>;
}

export interface ReplayResult {
  /** Descriptions of what differs from the recording; empty when nothing does. */
  differences: string[];
  /** The replayed session; can be imported and continued. */
  document: SessionExport;
  events: AgentEvent[];
}

/** Maximum number of characters of a text in a difference. */
const MAX_DIFFERENCE_TEXT = 160;

/**
 * Replays an exported session against the current roles, with the same requests. Models, users and commands outside the session give the
 * recorded answers. Files, plan, memory and commands inside the session are computed again and compared with the recording. A set of
 * exports therefore shows the effect of a change of roles, tools or prompts. Nothing is stored, and no model is called.
 *
 * Messages to a team during the work of several roles are sent when those roles are done. Ids and times are not compared.
 *
 * @param compose creates the roles; called twice, because the recorded session is opened in addition to the replayed one
 * @throws RoleZeroError `invalid` when the document is not an export or no longer contains the session's beginning.
 * @example const { differences } = await replay(exported, (model) => ({ roles: [new RoleZero({ model: model('Zero'), tools })] }));
 */
export async function replay(
  exported: unknown,
  compose: (model: RecordedModels) => TeamRole | Team,
  { files = {} }: ReplayOptions = {},
): Promise<ReplayResult> {
  const storage = memoryStorage();
  const { name } = await storage.import(exported);
  const recording = new Recording(await storage.export(name));
  const events: AgentEvent[] = [];
  let during = async (_role: string, _step: number): Promise<void> => {};
  const models: RecordedModels = (role, options = {}) =>
    recordedModel(role, recording.replies(role), options, (step) => during(role, step));
  const recorded = await Session.open({
    ...teamOf(compose(noReplies)),
    storage,
    name,
    askUser: null,
    emit: () => {},
  });
  const played = await Session.open({
    ...teamOf(compose(models)),
    storage,
    name: `${name} (replay)`,
    emit: (event) => events.push(event),
    recorded: (command) => recording.outcome(command),
    askUser: recordedUser(recording),
  });
  try {
    for (const [path, content] of Object.entries(files)) await played.files.write(path, content);
    during = async (role, step) => {
      for (const input of recording.inputs)
        if (input.during?.role === role && input.during.step === step) await say(played, input.message);
    };
    const failures = await play(recording, played, recorded);
    const differences = failures.concat(await compared(recorded, played));
    return { differences, document: await played.export(), events };
  } finally {
    await Promise.all([played.close(), recorded.close()]);
  }
}

/** Models for a session that is only read. */
const noReplies: RecordedModels = (role, options = {}) => recordedModel(role, [], options, async () => {});

/** Returns a function that gives the recorded answers of the user, role by role. */
function recordedUser(recording: Recording): ({ role }: Pick<Question, 'role'>) => Promise<string | null> {
  const answers = new Map<string, string[]>();
  return async ({ role }) => {
    const left = answers.get(role) ?? recording.answers(role);
    answers.set(role, left);
    return left.shift() ?? null;
  };
}

/** Sends the messages that the user did not send during a step. Returns why runs failed. */
async function play(recording: Recording, played: Session, recorded: Session): Promise<string[]> {
  const failures: string[] = [];
  for (const { message, during, withPrevious } of recording.inputs) {
    if (during !== null) continue;
    if (!withPrevious) await settled(played, recorded, failures);
    await say(played, message);
  }
  await settled(played, recorded, failures);
  return failures;
}

/** Sends a recorded message of the user to the role that it was sent to. */
async function say(played: Session, message: MessageData): Promise<void> {
  const { leader, roleNames } = played.environment;
  const to = leader === null ? undefined : roleNames.find((role) => message.sendTo.includes(role));
  await played.send(messageFromRecord(message), defined({ to }));
}

/** Waits for the run in progress. A failure is no difference when the session was exported during its work: its recording ends there. */
async function settled(played: Session, recorded: Session, failures: string[]): Promise<void> {
  const result = await played.running?.result;
  if (result?.status !== 'failed' || recorded.resumable) return;
  failures.push(`The run failed: ${result.error?.message ?? ''}`);
}

function teamOf(made: TeamRole | Team): Team {
  return 'agent' in made ? { roles: [made] } : made;
}

function recordedModel(
  role: string,
  replies: readonly StepReply[],
  options: RecordedModelOptions,
  during: (step: number) => Promise<void>,
): ChatModel {
  const left = [...replies];
  return {
    id: 'recorded',
    contextWindow: 128_000,
    ...options,
    async *chat({ purpose }: ChatRequest): AsyncGenerator<ChatChunk> {
      const at = left.findIndex((reply) => reply.purpose === purpose);
      const [reply] = at < 0 ? [] : left.splice(at, 1);
      if (reply === undefined) {
        throw new RoleZeroError(
          'invalid',
          `${role} makes a model call that the recorded session does not contain ("${purpose}").`,
          { role, purpose },
        );
      }
      if (!left.some(({ step }) => step === reply.step)) await during(reply.step);
      const { promptTokens, completionTokens, cachedPromptTokens, costUsd } = reply;
      yield { type: 'text-delta', text: reply.reply };
      for (const [index, call] of (reply.calls ?? []).entries()) yield { type: 'tool-call', index, ...call };
      yield { type: 'usage', promptTokens, completionTokens, cachedPromptTokens, costUsd };
      yield { type: 'finish', reason: reply.cut ? 'length' : 'stop' };
    },
  };
}

async function compared(recorded: Session, played: Session): Promise<string[]> {
  const roles = recorded.environment.roleNames.flatMap((role) => [
    ...differing(
      `${role}, message`,
      recorded.messages(role).map(comparable),
      played.messages(role).map(comparable),
    ),
    ...differing(`${role}, plan`, [recorded.plan(role)], [played.plan(role)]),
  ]);
  const [before, after] = await Promise.all([contents(recorded), contents(played)]);
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const changed = paths.flatMap((path) => differing(`${path}, file`, [before[path]], [after[path]]));
  return [...roles, ...changed];
}

/** Returns the parts of a message that do not depend on ids and times. */
function comparable({ role, content, causeBy, sentFrom, sendTo }: MessageData): unknown {
  return { role, content, causeBy, sentFrom, sendTo: [...sendTo].sort() };
}

async function contents({ files }: Session): Promise<Record<string, string>> {
  const infos = (await files.list('/')).filter(({ type }) => type === 'file');
  const read = async (path: string): Promise<string> =>
    files.read(path).catch(async () => `bytes ${(await files.readBytes(path)).join()}`);
  return Object.fromEntries(
    await Promise.all(infos.map(async ({ path }) => [path, await read(path)] as const)),
  );
}

function differing(what: string, recorded: readonly unknown[], played: readonly unknown[]): string[] {
  return Array.from({ length: Math.max(recorded.length, played.length) }, (_, index) => {
    const [was, is] = [JSON.stringify(recorded[index]), JSON.stringify(played[index])];
    return was === is ? [] : [`${what} ${index + 1}: ${shortenValue(is)} instead of ${shortenValue(was)}`];
  }).flat();
}

function shortenValue(text: string | undefined): string {
  if (text === undefined) return 'nothing';
  return text.length <= MAX_DIFFERENCE_TEXT ? text : `${text.slice(0, MAX_DIFFERENCE_TEXT)}…`;
}

/** A message that the user sent to a session. */
interface RecordedInput {
  message: MessageData;
  /** The step during which it arrived; null when no turn was in progress. */
  during: { role: string; step: number } | null;
  /** It arrived so soon after the previous one that both were read together. */
  withPrevious: boolean;
}

/** One reply of a model, with the step of its role. */
interface StepReply extends CallTrace {
  step: number;
}

interface RecordedStep {
  number: number;
  trace: Pick<StepTrace, 'requirement' | 'calls' | 'answers' | 'observationId'>;
}

/**
 * Everything that entered a session from outside, read from its export: messages and answers of users, replies of models, results of
 * commands.
 */
class Recording {
  readonly #document: SessionExport;
  readonly inputs: readonly RecordedInput[];
  readonly #steps = new Map<string, RecordedStep[]>();
  /** Messages of each role, oldest first. */
  readonly #messages = new Map<string, MessageData[]>();

  /** @throws RoleZeroError `invalid` when the session was longer than its stored record. */
  constructor(document: SessionExport) {
    this.#document = document;

    for (const { key, value } of this.#rows('steps')) {
      const { owner, number } = readRowKey(key);
      const steps = this.#ofRole(this.#steps, owner);
      if (number !== steps.length) throw incomplete('steps');
      steps.push({ number, trace: value as StepTrace });
    }
    for (const { key, value } of this.#rows('roles')) this.#takeUnfinished(key, readState(value));
    for (const table of ['memories', 'messages'] as const) {
      for (const { key, value } of this.#rows(table)) {
        const message = table === 'messages' ? value : isRecord(value) ? value['message'] : null;
        if (isRecord(message))
          this.#ofRole(this.#messages, readRowKey(key).owner).push(message as unknown as MessageData);
      }
    }
    this.inputs = this.#rows('deliveries').flatMap(({ key, value }, index) => {
      if (Number(key) !== index) throw incomplete('messages');
      const { message, recipients } = (value as { trace: { message: MessageData; recipients: string[] } })
        .trace;
      return message.sentFrom === USER ? [this.#input(message, recipients)] : [];
    });
  }

  /** Returns all replies of a role's models, in order. */
  replies(role: string): StepReply[] {
    return this.#stepsOf(role).flatMap(({ number, trace }) =>
      trace.calls.map((call) => ({ ...call, step: number })),
    );
  }

  /** Returns all answers that users gave a role, in order, except to questions caused by an interruption. */
  answers(role: string): string[] {
    const answers = this.#stepsOf(role).flatMap(({ trace }) => Object.entries(trace.answers));
    return answers.filter(([key]) => !key.startsWith('again:')).map(([, answer]) => answer);
  }

  /** Returns the recorded result of a command. */
  outcome({ role, step, index }: RecordedCommand): RecordedOutcome | undefined {
    const id = this.#stepsOf(role)[step]?.trace.observationId;
    const observation = this.#messages.get(role)?.find((message) => message.id === id);
    const result = resultsIn(observation)?.[index];
    if (typeof result?.['output'] !== 'string') return undefined;
    const { from, composed, addresses } = result;
    return {
      ok: result['ok'] === true,
      output: result['output'],
      ...defined({
        untrusted: Array.isArray(from) ? from.map(String) : undefined,
        composed: composed === true ? (true as const) : undefined,
        addresses: Array.isArray(addresses) ? addresses.map(String) : undefined,
      }),
    };
  }

  /** Adds the unfinished step of a role at the time of the export. */
  #takeUnfinished(role: string, { turn }: RoleState): void {
    if (turn === null) return;
    const { request, trace, answers } = turn;
    const steps = this.#ofRole(this.#steps, role);
    const requirement = request?.id ?? '';
    steps.push({
      number: steps.length,
      trace: { requirement, calls: trace.calls, answers, observationId: '' },
    });
  }

  #input(message: MessageData, recipients: readonly string[]): RecordedInput {
    const isTrigger = recipients.some((role) =>
      this.#stepsOf(role).some(({ trace }) => trace.requirement === message.id),
    );
    if (isTrigger) return { message, during: null, withPrevious: false };
    for (const role of recipients) {
      const step = this.#stepBefore(role, message.id);
      if (step !== null) return { message, during: { role, step }, withPrevious: false };
    }
    return { message, during: null, withPrevious: true };
  }

  /** Returns the step after which a role read a message during its work; null when no work came before it. */
  #stepBefore(role: string, id: string): number | null {
    const messages = this.#messages.get(role) ?? [];
    const before = messages.slice(
      0,
      Math.max(
        0,
        messages.findIndex((message) => message.id === id),
      ),
    );
    const ids = new Set(before.map((message) => message.id));
    const steps = this.#stepsOf(role);
    const step = steps.findLast(({ trace }) => ids.has(trace.observationId));
    const next = step && steps[step.number + 1];
    return next?.trace.requirement === step?.trace.requirement ? (step?.number ?? null) : null;
  }

  #stepsOf(role: string): readonly RecordedStep[] {
    return this.#steps.get(role) ?? [];
  }

  #rows(table: Table): { key: string; value: unknown }[] {
    const rows = this.#document.records.filter((record) => record.table === table);
    return rows.sort((one, other) => (one.key < other.key ? -1 : 1));
  }

  #ofRole<Item>(lists: Map<string, Item[]>, role: string): Item[] {
    const list = lists.get(role) ?? [];
    lists.set(role, list);
    return list;
  }
}

function incomplete(what: string): RoleZeroError {
  return new RoleZeroError(
    'invalid',
    `The session is longer than its record: its first ${what} are no longer stored. Export sessions while they are short to play them back.`,
    { what },
  );
}
