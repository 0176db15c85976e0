import type { JsonValue } from './json.js';

/** A question that is open until somebody answers; it survives a reload. */
export interface Question {
  id: string;
  /** The role that asks. */
  role: string;
  /** `approval` asks leave to run `command`; its answers are `yes` and `no`. */
  kind: 'question' | 'approval';
  text: string;
  /** Set when there are choices; free text stays possible. */
  options?: string[];
  /** What an empty answer means, and none within `answerWithinMs`. */
  default?: string;
  /** Milliseconds after which it counts as answered with nothing; missing: it waits for as long as it takes. */
  answerWithinMs?: number;
  command?: Command;
  /** Of an approval: the whole command, why it is asked about and what it changes, as plain text in which every character can be seen. */
  details?: string;
  /** It need not be answered: when nobody answers at once it is withdrawn, and nothing waits for it. */
  lapses?: true;
}

/** A command as the model wrote it, checked for shape. */
export interface Command {
  name: string;
  args: Record<string, JsonValue>;
}

/** The person in front of the page, as a role sees them. */
export interface Human {
  /** The answer, or null when nobody answers now: the question stays open and the run waits. Rejects when `signal` aborts. */
  ask(question: Question, signal: AbortSignal): Promise<string | null>;
}

/** Milliseconds for which an approval may wait to be used: after a quarter of an hour the person is asked again. */
const APPROVAL_HOLDS_MS = 15 * 60_000;

/** Whether an answer given at `at` is too old to act on at `now`: only approvals grow old, and a clock that was set back makes them so. */
export function hasLapsed(kind: Question['kind'], at: number | undefined, now: number): boolean {
  if (kind !== 'approval') return false;
  return at === undefined || at > now || now - at > APPROVAL_HOLDS_MS;
}
