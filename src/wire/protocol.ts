import type { AgentEvent, PlanData, RunResult, StepQuery, StepTrace, Usage } from '../base/events.js';
import type { SessionFiles } from '../base/files.js';
import { isRecord } from '../base/json.js';
import type { Question } from '../base/human.js';
import type { Inspection } from '../base/inspection.js';
import type {
  MemoryChange,
  MemoryExport,
  MemoryExportQuery,
  MemoryItem,
  MemoryListQuery,
  MemoryQuery,
} from '../base/long-term.js';
import type { MessageData, MessageQuery, SendOptions } from '../base/message.js';
import type { ChatChunk, ChatModel, ChatRequest } from '../base/model.js';
import type { SessionSpace } from '../base/space.js';
import type { SessionExport, SessionPosition } from '../base/store.js';
import type { ToolDescriptor } from '../base/tool.js';
import type { Result } from './results.js';

/** Grows when page and worker of two releases would misunderstand each other. */
export const PROTOCOL_VERSION = 6;

/**
 * The messages on the worker itself: only the handshake. The worker sends `ready` when it listens, and again for each `hello`, so the
 * two sides can start in any order. Everything else goes through the port that `connect` brings.
 */
export type Handshake =
  | { rolezero: 'hello' }
  | { rolezero: 'ready'; version: number }
  | { rolezero: 'connect'; port: MessagePort }
  | { rolezero: 'disconnect' };

/** The handshake message in whatever was posted, or null: others may post to the same worker. */
export function readHandshake(data: unknown): Handshake | null {
  if (!isRecord(data)) return null;
  const { rolezero: kind, version, port } = data;
  if (kind === 'hello' || kind === 'disconnect') return { rolezero: kind };
  if (kind === 'ready' && Number.isInteger(version)) return { rolezero: kind, version: version as number };
  return kind === 'connect' && port instanceof MessagePort ? { rolezero: kind, port } : null;
}

/** What a page knows of its session without asking. */
export interface SessionView {
  waiting: Question | null;
  resumable: boolean;
  /** Id of the run in progress, or null. */
  running: string | null;
  lastRun: RunResult | null;
  /** Another tab or worker holds the session, and this page looks on. */
  viewing: boolean;
  /** How far the session has come; null where its storage does not tell. */
  position: SessionPosition | null;
}

/** What the worker says unasked, on the port of the calls: what happened, and how things stand now. */
export interface EventBatch {
  events: AgentEvent[];
  view: SessionView;
}

export interface OpenOptions {
  session: string;
  config: unknown;
  tools: ToolDescriptor[];
  /** The page's models by the names it gave them. */
  models: Record<string, ModelDescriptor>;
  takeOver: boolean;
  view: boolean;
  known: readonly SessionPosition[];
}

export interface Opened {
  view: SessionView;
  /** A Web Lock the worker holds for as long as it lives; null where there are none. */
  aliveLock: string | null;
}

/** A model of the page without what it does. */
export type ModelDescriptor = Omit<ChatModel, 'chat' | 'countTokens'> & { countsTokens: boolean };

/** A request without its signal, which does not cross: `endChat` does its work. */
export type ModelCall = Omit<ChatRequest, 'signal'>;

/** What the page asks of files; it watches by the events it gets anyway. */
export type FileMethod = Exclude<keyof SessionFiles, 'watch'>;

/**
 * The worker side of a session. Every call resolves with a `Result`; it rejects only when the worker is lost. The events of a call
 * arrive, as an `EventBatch`, before its result.
 */
export interface HostApi {
  /** `page` leads to a `PageApi`. */
  open(options: OpenOptions, page: MessagePort): Promise<Result<Opened>>;
  send(text: string, options?: SendOptions): Promise<Result<string>>;
  resume(): Promise<Result<string>>;
  stop(): Promise<Result<void>>;
  answer(id: string, text: string): Promise<Result<void>>;
  messages(query?: string | MessageQuery): Promise<Result<MessageData[]>>;
  plan(role?: string): Promise<Result<PlanData>>;
  inspect(): Promise<Result<Inspection>>;
  steps(query?: string | StepQuery): Promise<Result<StepTrace[]>>;
  searchMemory(query: string, options?: MemoryQuery): Promise<Result<MemoryItem[]>>;
  listMemory(options?: MemoryListQuery): Promise<Result<MemoryItem[]>>;
  forgetMemory(
    ids: string | readonly string[],
    options?: Pick<MemoryQuery, 'role'>,
  ): Promise<Result<boolean>>;
  changeMemory(
    id: string,
    change: MemoryChange,
    options?: Pick<MemoryQuery, 'role'>,
  ): Promise<Result<MemoryItem | null>>;
  importMemory(document: unknown, options?: Pick<MemoryQuery, 'role'>): Promise<Result<number>>;
  exportMemory(options?: MemoryExportQuery): Promise<Result<MemoryExport>>;
  space(): Promise<Result<SessionSpace>>;
  usage(): Promise<Result<Usage>>;
  exportSession(): Promise<Result<SessionExport>>;
  /** Calls one of the methods of the session's files. */
  files(method: FileMethod, args: unknown[]): Promise<Result<unknown>>;
  /** A sign of life. */
  beat(): Promise<Result<void>>;
  close(): Promise<Result<void>>;
}

/** The page side: the user, and tools and models that need a document. */
export interface PageApi {
  callTool(callId: string, name: string, input: unknown): Promise<Result<unknown>>;
  cancelTool(callId: string): void;
  /** Asks a model of the page; `nextChunk` then gives what it says, piece by piece, and null after the last. */
  beginChat(callId: string, model: string, call: ModelCall): Promise<Result<void>>;
  nextChunk(callId: string): Promise<Result<ChatChunk | null>>;
  /** Stops the model: there is no listener any more. */
  endChat(callId: string): void;
  countTokens(model: string, text: string): Promise<Result<number>>;
  /** The answer, or null to leave the question open. */
  ask(question: Question): Promise<Result<string | null>>;
}
