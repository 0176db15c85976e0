import type { ToolCall } from '../../src/core/model.js';

/** The kinds of tasks, in the order of the report. */
export const KINDS = [
  'create',
  'edit',
  'fix',
  'refactor',
  'plan',
  'ask',
  'browse',
  'remember',
  'refuse',
  'instructions',
] as const;

/** The group of tasks for small models. They are only run when they are selected. */
export const SMALL = 'small';

/** The group of tasks that need running programs. They are only run when they are selected. */
export const CODE = 'code';

export type Kind = (typeof KINDS)[number] | typeof SMALL | typeof CODE;

/** Why an attempt failed. */
export type Cause =
  | 'not done'
  | 'wrong file'
  | 'refused wrongly'
  | 'obeyed wrongly'
  | 'asked needlessly'
  | 'did not ask'
  | 'invalid replies'
  | 'repeated itself'
  | 'step limit'
  | 'timeout'
  | 'model error'
  | 'agent error';

/** A failed check, with the reason in words. */
export interface Failure {
  cause: Cause;
  reason: string;
}

/** Files by absolute path. */
export type TextFiles = Readonly<Record<string, string>>;

/** One entry of a plan. */
export interface PlannedTask {
  text: string;
  done: boolean;
}

/** What an attempt produced, whatever loop it ran in. */
export interface Result {
  /** All text files at the end. */
  files: TextFiles;
  /** Everything the user read after the last request. */
  answer: string;
  /** The questions that the model asked the user, in order. */
  questions: readonly string[];
  /** The largest plan of the attempt, as it was last; empty without one. */
  plan: readonly PlannedTask[];
  /** What the probe of the task printed, without line breaks at the end; empty without one. */
  printed: string;
}

/** The value of an expression, or the reason why it has no value. */
export type Evaluated = { value: unknown } | { problem: string };

/**
 * Opens an HTML file of the result in an isolated browser, or an empty page for null, and returns the value of a
 * function body there. Modules of the result can be imported by their paths.
 */
export type Evaluate = (files: TextFiles, page: string | null, body: string) => Promise<Evaluated>;

/** One task: plain data, except for its check. */
export interface Task {
  /** Kind and name, such as `create/page`. */
  id: `${Kind}/${string}`;
  /** Sent one after the other in one session. The page is reloaded before the last one. */
  requests: readonly [string, ...string[]];
  /** Files of the user at the beginning. @default none */
  files?: TextFiles;
  /** Web pages by address. The agent has a browser only if there are any. @default none */
  pages?: TextFiles;
  /** The user's answers to the questions of the model, in order. Without them, a question is a failure. @default none */
  answers?: readonly string[];
  /** Maximum steps of one request. */
  steps: number;
  /** Maximum minutes of the whole task. */
  minutes: number;
  /** Messages in the window; older ones are in long-term memory. @default no long-term memory */
  memoryWindow?: number;
  /** A command line over the files of the result, for the check. The agent has a terminal with programs only if there is one. @default none */
  probe?: string;
  /** Returns why the result is not acceptable, or null. */
  check(result: Result, evaluate: Evaluate): Failure | null | Promise<Failure | null>;
}

/** What an attempt took. */
export interface Measures {
  /** Replies with commands. */
  steps: number;
  /** Calls to the model. */
  calls: number;
  /** Steps whose reply could not be read as commands, or only after a repair. */
  invalidReplies: number;
  /** Commands that do not exist, or that were run although the model had not written them. */
  invented: number;
  /** Commands that the model wrote and that were not run. */
  dropped: number;
  /** Commands that were run before in this attempt, with the same arguments. */
  repeated: number;
  /** Messages to the user that claimed what had not happened, and that the agent sent back or completed with the records. */
  falseClaims: number;
  promptTokens: number;
  completionTokens: number;
  /** Milliseconds from the first request to the first word of a reply; 0 where it is not known. */
  firstWordMs: number;
  /** Milliseconds from the requests to their ends. */
  ms: number;
}

/** One call to the model, for a transcript. */
export interface RecordedCall {
  /** What the agent asks for; in a loop of the AI SDK always `step`. */
  purpose: string;
  messages: readonly { role: string; content: string }[];
  /** The text of the reply, with its native calls. */
  reply: string;
  /** The text alone; absent for a reply that was stopped or failed. */
  text?: string;
  /** The native calls alone. */
  calls?: readonly ToolCall[];
  promptTokens: number;
  completionTokens: number;
  ms: number;
}

/** One task in one loop, before its check. */
export interface Attempted {
  result: Result;
  /** Why the loop did not reach its end; null when it did. */
  stopped: Failure | null;
  measures: Measures;
}

export const NOTHING_MEASURED: Measures = {
  steps: 0,
  calls: 0,
  invalidReplies: 0,
  invented: 0,
  dropped: 0,
  repeated: 0,
  falseClaims: 0,
  promptTokens: 0,
  completionTokens: 0,
  firstWordMs: 0,
  ms: 0,
};

/** What the user answers to a question beyond the scripted answers. */
export const NO_ANSWER = 'Please decide yourself, and do not ask again.';

/** Returns the content of a web page of a task, or null. Addresses with and without a slash at the end are the same. */
export function webPageOf({ pages = {} }: Pick<Task, 'pages'>, address: string): string | null {
  const plain = (url: string) => url.replace(/[?#].*$/u, '').replace(/\/+$/u, '');
  const found = Object.entries(pages).find(([url]) => plain(url) === plain(address));
  return found === undefined ? null : found[1];
}

export function kindOf(task: Pick<Task, 'id'>): Kind {
  return task.id.slice(0, task.id.indexOf('/')) as Kind;
}
