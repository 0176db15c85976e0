import type { UIMessage, UIMessageChunk } from 'ai';
import type { AgentEvent, PlanData, RunStatus } from '../core/events.js';
import type { Question } from '../core/human.js';

/** Metadata of a response, set when it ends. */
interface SessionMetadata {
  /** `waiting`: for an approval or an answer. `stopped` and `exhausted`: the work can be resumed. */
  status: RunStatus;
}

/** Data parts of a response, by type: `data-plan` and so on. A newer part of the same id replaces the one before. */
type SessionDataParts = {
  /** The plan of a role; its id is the name of the role. */
  plan: PlanData & { role: string };
  /** A changed file of the session; its id is the path. `session.files` reads it. */
  file: Pick<AgentEvent<'file-changed'>, 'path' | 'change' | 'by'>;
  /** The page that a role shows; its id is the name of the role. */
  page: { role: string; url: string; title: string };
  /** A question or an approval request with everything that the user must see; its id is that of the question. */
  question: Question & { toolCallId: string };
  /** The typed answer; see `output` of `Session.send`. */
  output: unknown;
  /** Something went wrong, and the work continues. Not part of the message: `onData` receives it. */
  warning: { code: string; message: string };
};

/** A message of a chat over a session, for `useChat<SessionUIMessage>`. */
export type SessionUIMessage = UIMessage<SessionMetadata, SessionDataParts>;

/** A part of a message, such as a text or the call of a tool. */
export type SessionPart = SessionUIMessage['parts'][number];

/** One chunk of a response. */
export type SessionChunk = UIMessageChunk<SessionMetadata, SessionDataParts>;

/** Name of the tool part of a question to the user. Its output is the answer. */
export const ASK_USER = 'RoleZero.ask_human';

/** Commands that are no tool parts: their content is text, or they only end the work. */
export const HIDDEN: ReadonlySet<string> = new Set(['RoleZero.reply_to_human', 'reply_to_human', 'end']);

/** Returns whether a command asks the user; it has two names. */
export function asksUser(name: string): boolean {
  return name === ASK_USER || name === 'ask_human';
}
