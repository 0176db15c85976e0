import type { AgentEvent, FileInfo, Question, RunStatus } from 'rolezero';
import type { Detection } from '../../../src/providers/detect/detect-models.js';
import type { ModelChoice } from '../arguments.js';

/** An error in the form in which it crosses from the page to the terminal. */
interface PageError {
  code: string;
  message: string;
}

export type Answer<Value> = { ok: true; value: Value } | { ok: false; error: PageError };

export interface Opened {
  /** An interrupted run that can continue. */
  resumable: boolean;
  /** Number of requests in the session. */
  requests: number;
}

export interface Ended {
  status: RunStatus;
  resumable: boolean;
}

/** Form of the replies of a model. `tools-required`: native calls, one in each reply. */
export type ReplyFormat = 'text' | 'schema' | 'tools' | 'tools-required';

/** What an evaluation adds to a session. */
export interface Setup {
  /** Text files of the user by path. */
  files: Readonly<Record<string, string>>;
  /** Path of this server below which it serves the web pages of a task; null: the agent has no browser. */
  pages: string | null;
  /** Maximum steps of one request. */
  maxSteps: number;
  /** Path of this server with the files of Python; null: the agent has no terminal. */
  python: string | null;
  /** Messages in the window; null: the agent has no long-term memory. */
  memoryWindow: number | null;
  /** Null: the one that suits model and server. */
  replyFormat: ReplyFormat | null;
  preset: 'full' | 'small' | null;
  temperature: number | null;
  /** Path of this server that receives each call to the model; null for none. */
  calls: string | null;
}

/** Configuration of the worker. */
export interface WorkerConfig {
  model: ModelChoice;
  setup: Setup | null;
}

/**
 * Calls of the terminal to the page. Every call returns an `Answer`, because errors would lose their code on the way.
 */
export interface TryPage {
  /** Returns the available model of the machine. */
  detect(mayDownload: boolean): Promise<Answer<Detection>>;
  open(session: string, model: ModelChoice, setup: Setup | null): Promise<Answer<Opened>>;
  /** Sends a request, or with null resumes; resolves when the run has ended and all its events were delivered. */
  run(request: string | null): Promise<Answer<Ended>>;
  stop(): void;
  files(): Promise<Answer<FileInfo[]>>;
  read(path: string): Promise<Answer<Uint8Array>>;
  /** Returns the output of a command line over the files of the session. */
  shell(commandLine: string): Promise<Answer<string>>;
  close(): Promise<Answer<null>>;
  /** Closes the session and deletes it. */
  discard(): Promise<Answer<null>>;
}

/** Calls of the page to the terminal. */
export interface TryTerminal {
  tell: (events: AgentEvent[]) => Promise<void>;
  ask: (question: Question) => Promise<string | null>;
}

declare global {
  interface Window {
    tryPage?: TryPage;
    tryTell: TryTerminal['tell'];
    tryAsk: TryTerminal['ask'];
  }
}
