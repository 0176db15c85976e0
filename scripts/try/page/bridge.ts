import type { AgentEvent, FileInfo, Question, RunStatus } from 'rolezero';
import type { Detection } from '../../../src/providers/detect/choose-model.js';
import type { ModelChoice } from '../arguments.js';

/** An error as it crosses from the page to the terminal. */
interface PageError {
  code: string;
  message: string;
}

export type Answer<Value> = { ok: true; value: Value } | { ok: false; error: PageError };

export interface Opened {
  /** Work of an earlier call that can continue. */
  resumable: boolean;
  /** How many requests the session has had. */
  requests: number;
}

export interface Ended {
  status: RunStatus;
  resumable: boolean;
}

/** What the page does for the terminal. Every call gives an `Answer`: errors would lose their code on the way. */
export interface TryPage {
  /** Which model the machine has. */
  detect(mayDownload: boolean): Promise<Answer<Detection>>;
  open(session: string, model: ModelChoice): Promise<Answer<Opened>>;
  /** Asks for something, or with null continues; ends when the run has ended and every event of it was told. */
  run(request: string | null): Promise<Answer<Ended>>;
  stop(): void;
  files(): Promise<Answer<FileInfo[]>>;
  read(path: string): Promise<Answer<Uint8Array>>;
  close(): Promise<Answer<null>>;
}

/** What the terminal does for the page. */
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
