import { defined } from '../core/defined.js';
import { RoleZeroError } from '../core/error.js';
import type { AgentEvent } from '../core/events.js';
import type { Question } from '../core/human.js';
import { messageFromRecord, type MessageData } from '../core/message.js';
import type { ChatChunk, ChatModel, ChatRequest } from '../core/model.js';
import type { SessionExport } from '../core/store.js';
import type { TeamRole } from '../agent/runtime/work.js';
import { Session } from '../session/session.js';
import type { Team } from '../session/team.js';
import { memoryStorage } from '../storage/memory-storage.js';
import { Recording, type RecordedReply } from './recording.js';

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

export interface Replay {
  /** Descriptions of what differs from the recording; empty when nothing does. */
  differences: string[];
  /** The replayed session; can be imported and continued. */
  document: SessionExport;
  events: AgentEvent[];
}

/** Maximum number of characters of a text in a difference. */
const MAX_SHOWN = 160;

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
): Promise<Replay> {
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
  replies: readonly RecordedReply[],
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
    return was === is ? [] : [`${what} ${index + 1}: ${shown(is)} instead of ${shown(was)}`];
  }).flat();
}

function shown(text: string | undefined): string {
  if (text === undefined) return 'nothing';
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}…`;
}
