import type { JsonValue } from './json.js';

/** What an approval request is about, as data: to show it in other words or another language. */
export interface ApprovalFacts {
  /** What the command does: opens an address at a host, changes a file, or something that `text` says. */
  action: { do: 'open'; host: string } | { do: 'change'; path: string } | { do: 'run'; text: string };
  /**
   * Why the user is asked: the command opens a page that can `connect` to servers, reads an address that the user has not named
   * (`unnamed`) or more of a site than the user named (`further`), sends a request (`query`) or reads an address (`composed`) that the
   * model wrote, changes something `outside` of the session, answers another `sender`, or changes a `file` of the user. `rule`: only a
   * rule of the application asks.
   */
  why: 'connect' | 'unnamed' | 'further' | 'query' | 'composed' | 'outside' | 'sender' | 'file' | 'rule';
  /** For `further`: number of such reads before this one. */
  reads?: number;
  /** What the role has read that may have asked for it. Shortened, without invisible characters, like the texts below. */
  sources: string[];
  /** Who could learn something private; absent when nothing can be disclosed. */
  receiver?: string;
  /** Names of the private data that the role knows. */
  secrets: string[];
  /** Words of the user in the command. */
  quoted?: string;
  /** How long a yes lasts at most. */
  lasts: 'once' | 'run' | 'session';
  /**
   * What a yes covers that lasts longer than once: everything that only reads from a `service`, or every use of a `tool`, of one `target`
   * and `at` one path or origin where these are set (`links`: at addresses that the user or others named). Absent: the same command only.
   */
  covers?: { service: string } | { tool: string; target?: string; at: string; links?: true };
}

/** A question that is open until it is answered; it survives a reload. */
export interface Question {
  id: string;
  /** The role that asks. */
  role: string;
  /**
   * `approval` asks for permission to run `command`. Its answers are `yes`, `once`, `run` and `session` (as far as `choices` has them), and
   * `edited {…}` with other arguments as JSON. Every other answer is a no, which the model reads as the reason.
   */
  kind: 'question' | 'approval';
  text: string;
  /** Set when there are choices; free text is still accepted. */
  options?: string[];
  /** The answer used for an empty answer, and for no answer within `answerWithinMs`. */
  default?: string;
  /** Milliseconds after which the question counts as answered with an empty text; absent: it waits without a limit. */
  answerWithinMs?: number;
  command?: Command;
  /** For an approval: how long a yes may hold, shortest first. A plain `yes` holds as long as the last one says. */
  choices?: ('once' | 'run' | 'session')[];
  /** For an approval: why the user is asked, and who may have asked for it. */
  reason?: string;
  /** For an approval: what could be disclosed, and to whom; absent when nothing private could. */
  disclosure?: string;
  /** For an approval: what a yes covers that lasts longer than once; absent where it cannot. */
  coverage?: string;
  /** For an approval: what `text`, `reason`, `disclosure` and `coverage` say, as data. */
  facts?: ApprovalFacts;
  /** For an approval: the exact content without the reason: arguments, files, and changes with `-` and `+` before their lines. */
  content?: string;
  /** For an approval: the whole command, the reason for asking and the changes, as plain text in which every character is visible. */
  details?: string;
  /** Marks an optional question: it is withdrawn when it is not answered immediately, and nothing waits for it. */
  lapses?: true;
}

/** A command as the model wrote it, checked for shape. */
export interface Command {
  name: string;
  args: Record<string, JsonValue>;
}

/** The user at the page, as a role sees them. */
export interface Human {
  /** Returns the answer, or null when no user answers now: the question stays open and the run waits. Rejects when `signal` aborts. */
  ask(question: Question, signal: AbortSignal): Promise<string | null>;
  /** Removes a question that is no longer asked. */
  forget(id: string): void;
}

/** Milliseconds after which an unused approval expires: after 15 minutes the user is asked again. */
const APPROVAL_HOLDS_MS = 15 * 60_000;

/**
 * Returns whether an answer given at `at` is too old to use at `now`. Only approvals expire; they also expire when the clock was set back.
 */
export function hasLapsed(kind: Question['kind'], at: number | undefined, now: number): boolean {
  if (kind !== 'approval') return false;
  return at === undefined || at > now || now - at > APPROVAL_HOLDS_MS;
}

/** A yes of the user that still holds. */
export interface GrantedApproval {
  /** Identifies it for `revoke`. */
  id: string;
  /** Name of the role that may act. */
  role: string;
  /** What it may do, such as `open evil.test`. */
  text: string;
  /** Until the end of this run, or of the session. */
  lifetime: 'run' | 'session';
}

/** What the user has allowed the roles of a session to do. Answers for once are used up and not listed. */
export interface SessionApprovals {
  /** Returns what is allowed now. Empty after an import: an export contains no approvals. */
  list(): Promise<GrantedApproval[]>;
  /** Revokes one or more approvals: the user is asked again. Resolves when that is stored. Returns false when none of them holds. */
  revoke(ids: string | readonly string[]): Promise<boolean>;
}
