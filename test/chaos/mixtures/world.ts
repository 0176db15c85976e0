import type { AgentEvent, PlanData, RunResult, StepTrace, Usage } from '../../../src/core/events.js';
import type { SessionFiles } from '../../../src/core/files.js';
import type { Question } from '../../../src/core/human.js';
import type { Inspection } from '../../../src/core/inspection.js';
import type { SessionMemory } from '../../../src/core/long-term.js';
import type { MessageData } from '../../../src/core/message.js';
import type { SessionNotes } from '../../../src/core/notes.js';
import type { SessionExport, SessionInfo } from '../../../src/core/store.js';
import type { Settings } from './operations.js';

/** A run as its client sees it. */
export interface MixedRun extends AsyncIterable<AgentEvent> {
  /** Resolves when the request is stored. */
  accepted(): Promise<boolean>;
  result(): Promise<{ status: RunResult['status']; error: { code: string } | null }>;
}

/** A client of one session: what `connect` returns, or a session without a page. */
export interface MixedClient {
  readonly name: string;
  readonly waiting: Question | null;
  readonly resumable: boolean;
  readonly viewing: boolean;
  /** It was notified that it has lost the session. */
  readonly isFenced: boolean;
  readonly isRunning: boolean;
  readonly lastRun: { status: RunResult['status']; summary: string } | null;
  readonly files: SessionFiles;
  readonly memory: SessionMemory;
  readonly notes: SessionNotes;
  send(text: string, options: { to?: string; attach?: { path: string; content: string } }): MixedRun;
  resume(): MixedRun;
  stop(): Promise<void>;
  answer(id: string, text: string): Promise<void>;
  messages(role: string): Promise<MessageData[]>;
  plan(role: string): Promise<PlanData>;
  steps(role: string): Promise<StepTrace[]>;
  inspect(): Promise<Inspection>;
  usage(): Promise<Usage>;
  export(): Promise<SessionExport>;
  close(): Promise<void>;
}

/** How a client notices that its worker was killed: never, by rejected calls, or by a new worker that continues. */
type Loss = 'unnoticed' | 'reported' | 'replaced';

/** A client with the end of its worker. */
export interface Opened {
  client: MixedClient;
  loss: Loss;
  /** Ends the worker at once, in one of several ways. What it had not stored is lost. */
  kill: (how: number) => void;
}

/** An effect outside the sessions. */
export interface Effect {
  session: string;
  what: string;
}

/** Where a mixture runs. */
export interface World {
  readonly settings: Settings;
  readonly effects: readonly Effect[];
  /** All answers to questions, also those that were not accepted. */
  readonly answers: { session: string; question: Question; answer: string }[];
  /** Drops the effects and answers of a session. */
  forget(session: string): void;
  /** False where a second writer fences the first one without `takeOver`. */
  readonly hasLocks: boolean;
  /** False where no viewers exist. */
  readonly hasViewers: boolean;
  open(session: string, how: { takeOver?: boolean; view?: boolean; shows: boolean }): Promise<Opened>;
  readonly sessions: {
    list(): Promise<SessionInfo[]>;
    remove(name: string): Promise<void>;
    removeShared(name: string): Promise<void>;
    export(name: string): Promise<SessionExport>;
    import(document: unknown, name: string): Promise<SessionInfo>;
  };
  /** Opens or closes the gate for replies and shown questions. */
  setGate(open: boolean): void;
  /** Lets those through that wait at the gate now. */
  openGate(): void;
  setDiskFull(full: boolean): void;
  /** Deletes everything that is stored, under open sessions too; `how` selects one of several ways. False where that is impossible. */
  clearData(how: number): Promise<boolean>;
  turnClock(milliseconds: number): void;
  /** Lets other work go on for so many turns. */
  turns(count: number): Promise<void>;
  /** Names of rows and files that still belong to a session. */
  remainsOf(session: string): Promise<string[]>;
  end(): Promise<void>;
}

/** The name under which sessions share notes and memories. */
export const SHARED = 'mixed';
