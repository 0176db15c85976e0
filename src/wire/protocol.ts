import type { AgentEvent, RunResult } from '../core/events.js';
import type { SizeLimits } from '../core/file-limits.js';
import type { Question } from '../core/human.js';
import { isRecord } from '../core/json.js';
import type { ChatChunk, ChatModel, ChatRequest } from '../core/model.js';
import type { QueuedRequest } from '../core/queue.js';
import type { SessionPosition } from '../core/store.js';
import type { ToolDescriptor } from '../core/tool.js';
import type { Result } from './results.js';
import type { MethodName } from './session-api.js';

/** Grows when page and worker of two releases would misunderstand each other. */
export const PROTOCOL_VERSION = 11;

/**
 * The messages on the worker itself: only the handshake. The worker sends `ready` when it listens, and again for each `hello`, so the
 * two sides can start in any order. Everything else goes through the port that `connect` brings.
 */
export type Handshake =
  | { rolezero: 'hello' }
  | ({ rolezero: 'ready' } & Ready)
  | { rolezero: 'connect'; port: MessagePort }
  | { rolezero: 'disconnect' };

/** What a worker says when it listens. */
interface Ready {
  version: number;
  /** A Web Lock that the worker holds for as long as it lives; null in a browser without Web Locks. */
  aliveLock: string | null;
}

/** Reads a handshake message of the page; null for any other value, because an application may post to the same worker. */
export function readHandshake(data: unknown): Exclude<Handshake, { rolezero: 'ready' }> | null {
  if (!isRecord(data)) return null;
  const { rolezero: kind, port } = data;
  if (kind === 'hello' || kind === 'disconnect') return { rolezero: kind };
  return kind === 'connect' && port instanceof MessagePort ? { rolezero: kind, port } : null;
}

/** Reads a worker's `ready` message, also one of another version; null for any other value. */
export function readReady(data: unknown): Ready | null {
  if (!isRecord(data) || data['rolezero'] !== 'ready' || !Number.isInteger(data['version'])) return null;
  const { version, aliveLock } = data;
  return { version: version as number, aliveLock: typeof aliveLock === 'string' ? aliveLock : null };
}

/** What a page knows of its session without asking. */
export interface SessionView {
  waiting: Question | null;
  /** The requests that wait during a run; absent when they are those of the view before. */
  queued?: readonly QueuedRequest[];
  resumable: boolean;
  /** Id of the run in progress, or null. */
  running: string | null;
  lastRun: RunResult | null;
  /** Another tab or worker holds the session, and this page only reads it. */
  viewing: boolean;
  /** The session's last commit; null when its storage does not report it. */
  position: SessionPosition | null;
}

/** The view before a session is open. */
export const NOTHING_OPEN: SessionView = {
  waiting: null,
  queued: [],
  resumable: false,
  running: null,
  viewing: false,
  lastRun: null,
  position: null,
};

/** What the worker sends without a call, on the port of the calls: events, and the view after them. */
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

export interface OpenedSession {
  view: SessionView;
  /** The page checks sizes before it copies bytes to the worker. */
  limits: SizeLimits;
  /** What the commands of the roles do, such as "Writing", by their names. */
  verbs: Record<string, string>;
}

/** A model of the page without what it does. */
export type ModelDescriptor = Omit<ChatModel, 'chat' | 'countTokens'> & { countsTokens: boolean };

/** A request without its signal, which does not cross: `endChat` does its work. */
export type PageModelCall = Omit<ChatRequest, 'signal'>;

/**
 * The worker side of a session. Every call resolves with a `Result`; it rejects only when the worker is lost. The events of a call
 * arrive, as an `EventBatch`, before its result.
 */
export interface HostApi {
  /** `page` leads to a `PageApi`. */
  open(options: OpenOptions, page: MessagePort): Promise<Result<OpenedSession>>;
  /** Calls a method of the session that is open; `SESSION_API` lists them. */
  callMethod(method: MethodName, args: unknown[]): Promise<Result<unknown>>;
  /** Responds as long as the worker is alive. */
  beat(): Promise<Result<void>>;
  close(): Promise<Result<void>>;
}

/** The page side: the user, and tools and models that need a document. */
export interface PageApi {
  callTool(callId: string, name: string, input: unknown): Promise<Result<unknown>>;
  cancelTool(callId: string): void;
  /** Asks a model of the page; `nextChunk` then gives what it says, piece by piece, and null after the last. */
  beginChat(callId: string, model: string, call: PageModelCall): Promise<Result<void>>;
  nextChunk(callId: string): Promise<Result<ChatChunk | null>>;
  /** Stops the model: there is no listener any more. */
  endChat(callId: string): void;
  countTokens(model: string, text: string): Promise<Result<number>>;
  /** The answer, or null to leave the question open. */
  ask(question: Question): Promise<Result<string | null>>;
}
