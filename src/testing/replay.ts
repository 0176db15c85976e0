import { RoleZeroError } from '../base/error.js';
import type { AgentEvent } from '../base/events.js';
import { messageFromRecord, type MessageData } from '../base/message.js';
import type { ChatChunk, ChatModel, ChatRequest } from '../base/model.js';
import type { SessionExport } from '../base/store.js';
import { Role } from '../role/role.js';
import { Session } from '../session/session.js';
import type { Team } from '../session/team.js';
import { memoryStorage } from '../storage/memory-storage.js';
import { Recording, type RecordedReply } from './recording.js';

/** What a model was, as far as it matters to who asks it. */
export type RecordedModelOptions = Partial<
  Pick<ChatModel, 'id' | 'contextWindow' | 'maxOutputTokens' | 'supports' | 'countTokens'>
>;

/** Gives a role the model that says again what it said to the role of that name. */
export type RecordedModels = (role: string, options?: RecordedModelOptions) => ChatModel;

export interface ReplayOptions {
  /** Files the session started with. What a person changed later is not part of the record. */
  files?: Readonly<Record<string, string | Uint8Array>>;
}

export interface Replay {
  /** What came out otherwise than it was recorded, in words; empty when nothing did. */
  differences: string[];
  /** The session that was played; can be imported and gone on with. */
  document: SessionExport;
  events: AgentEvent[];
}

/** Characters of a text that a difference shows. */
const MAX_SHOWN = 160;

/**
 * Plays an exported session back: the same requests, with what models, people and commands outside the session answered then,
 * against the roles as they are now. Files, plan, memory and commands inside the session are worked out anew and compared with what
 * was recorded, so a corpus of exports shows what a change of roles, tools or prompts does. Nothing is stored, no model is asked.
 *
 * What was said to a team while several roles were at work is said when they are done; ids and times are not compared.
 *
 * @param compose makes the roles; called twice, since the recorded session is opened beside the one that is played
 * @throws RoleZeroError `invalid` when the document is not an export or no longer holds the session's beginning.
 * @example const { differences } = await replay(exported, (model) => ({ roles: [new RoleZero({ model: model('Zero'), tools })] }));
 */
export async function replay(
  exported: unknown,
  compose: (model: RecordedModels) => Role | Team,
  { files = {} }: ReplayOptions = {},
): Promise<Replay> {
  const storage = memoryStorage();
  const { name } = await storage.import(exported);
  const document = await storage.export(name);
  const recording = new Recording(document);
  const events: AgentEvent[] = [];
  const answers = new Map<string, string[]>();
  let during = async (_role: string, _step: number): Promise<void> => {};
  const models: RecordedModels = (role, options = {}) =>
    recordedModel(role, recording.replies(role), options, (step) => during(role, step));
  const never: RecordedModels = (role, options = {}) => recordedModel(role, [], options, async () => {});
  const recorded = await Session.open({
    ...teamOf(compose(never)),
    storage,
    name,
    askPerson: null,
    emit: () => {},
  });
  const played = await Session.open({
    ...teamOf(compose(models)),
    storage,
    name: `${name} (replay)`,
    emit: (event) => events.push(event),
    recorded: (command) => recording.outcome(command),
    askPerson: async ({ role }) => {
      const left = answers.get(role) ?? recording.answers(role);
      answers.set(role, left);
      return left.shift() ?? null;
    },
  });
  try {
    const differences: string[] = [];
    for (const [path, content] of Object.entries(files)) await played.files.write(path, content);
    const say = async (message: MessageData): Promise<void> => {
      const { leader, roleNames } = played.environment;
      const to = leader === null ? undefined : roleNames.find((role) => message.sendTo.includes(role));
      await played.send(messageFromRecord(message), to === undefined ? {} : { to });
    };
    during = async (role, step) => {
      for (const input of recording.inputs)
        if (input.during?.role === role && input.during.step === step) await say(input.message);
    };
    for (const { message, during: given, withPrevious } of recording.inputs) {
      if (given !== null) continue;
      if (!withPrevious) await settled(played, recorded, differences);
      await say(message);
    }
    await settled(played, recorded, differences);
    differences.push(...(await compared(recorded, played)));
    return { differences, document: await played.export(), events };
  } finally {
    await Promise.all([played.close(), recorded.close()]);
  }
}

/** Waits for the run in progress. A session that was exported in the middle of its work has no more to say at that point. */
async function settled(played: Session, recorded: Session, differences: string[]): Promise<void> {
  const result = await played.running?.result;
  if (result?.status !== 'failed' || recorded.resumable) return;
  differences.push(`The run failed: ${result.error?.message ?? ''}`);
}

function teamOf(made: Role | Team): Team {
  return made instanceof Role ? { roles: [made] } : made;
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
          `${role} asks its model something it was not asked when the session was recorded ("${purpose}").`,
          { role, purpose },
        );
      }
      if (!left.some(({ step }) => step === reply.step)) await during(reply.step);
      const { promptTokens, completionTokens, cachedPromptTokens, costUsd } = reply;
      yield { type: 'text-delta', text: reply.reply };
      yield { type: 'usage', promptTokens, completionTokens, cachedPromptTokens, costUsd };
      yield { type: 'finish', reason: reply.cut ? 'length' : 'stop' };
    },
  };
}

async function compared(recorded: Session, played: Session): Promise<string[]> {
  const roles = recorded.environment.roleNames.flatMap((role) => [
    ...differing(`${role}, message`, recorded.messages(role).map(told), played.messages(role).map(told)),
    ...differing(`${role}, plan`, [recorded.plan(role)], [played.plan(role)]),
  ]);
  const [before, after] = await Promise.all([contents(recorded), contents(played)]);
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const changed = paths.flatMap((path) => differing(`${path}, file`, [before[path]], [after[path]]));
  return [...roles, ...changed];
}

/** Of a message what does not depend on ids and times. */
function told({ role, content, causeBy, sentFrom, sendTo }: MessageData): unknown {
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
