import * as s from '../../core/schema.js';
import { hasLapsed, type Question } from '../../core/human.js';
import { sha256 } from '../../core/sha256.js';
import type { Grant } from './budget.js';

/** Decisions that are stored, for the session and for the turn. */
const MAX_DECISIONS = 200;

/** An answer of the user to a request for permission. */
interface Permitted {
  answer: string;
  /** Time in milliseconds since 1970. */
  at: number;
}

/** What the user has allowed a role to do. */
interface ApprovalData {
  /** Commands that are allowed for the session. */
  session: string[];
  /** What the allowed commands do, in words, by command. */
  texts: Record<string, string>;
  turn: {
    id: string;
    /** Whether commands are allowed for the rest of the turn. */
    decisions: Record<string, boolean>;
    /** Answers that are not used up yet, by question key. */
    answers: Record<string, Permitted>;
    /** The step in which each command was asked about, by call id. */
    asked: Record<string, number>;
    /** Spending beyond the budget of the turn. */
    budget: Grant | null;
  };
}

/**
 * The user's permissions for one role. They are stored in a table of their own that is in no export, so an imported session has none,
 * whatever its document says.
 */
export class Approvals {
  #data = noApprovals();
  #isChanged = false;

  restore(value: unknown): void {
    this.#data = readApprovals(value);
    this.#isChanged = false;
  }

  /** Forgets what was allowed for another turn. */
  enterTurn(id: string): void {
    if (this.#data.turn.id === id) return;
    this.#data.turn = { ...noApprovals().turn, id };
  }

  /** The record to store; null when nothing has changed since the last call. */
  takeChanges(): object | null {
    if (!this.#isChanged) return null;
    this.#isChanged = false;
    return structuredClone(this.#data);
  }

  /** The answer to a request for permission; null when there is none, or it is too old to act on. */
  answerTo(key: string, kind: Question['kind'], now: number): string | null {
    const known = this.#data.turn.answers[key];
    return known === undefined || hasLapsed(kind, known.at, now) ? null : known.answer;
  }

  /** Answers to requests for permission in the current step, by question key. */
  get answers(): Record<string, string> {
    const entries = Object.entries(this.#data.turn.answers);
    return Object.fromEntries(entries.map(([key, { answer }]) => [key, answer]));
  }

  addAnswer(key: string, answer: string, at: number): void {
    this.#data.turn.answers[key] = { answer, at };
    this.#isChanged = true;
  }

  removeAnswer(key: string): void {
    if (!Object.hasOwn(this.#data.turn.answers, key)) return;
    const { [key]: _, ...others } = this.#data.turn.answers;
    this.#data.turn.answers = others;
    this.#isChanged = true;
  }

  /** Answers hold for one step. */
  endStep(): void {
    if (Object.keys(this.#data.turn.answers).length === 0) return;
    this.#data.turn.answers = {};
    this.#isChanged = true;
  }

  /** What the user has decided about such commands; null when they have to be asked. */
  decisionOn(command: string, lifetime: 'once' | 'run' | 'session'): boolean | null {
    if (lifetime === 'session' && this.#data.session.includes(command)) return true;
    return this.#data.turn.decisions[command] ?? null;
  }

  /** Stores a decision. A "yes" for once is not stored: it is used up. A "no" holds for the turn. */
  decide(
    command: string,
    { lifetime, isAllowed, text }: { lifetime: 'once' | 'run' | 'session'; isAllowed: boolean; text: string },
  ): void {
    const { turn } = this.#data;
    if (isAllowed && lifetime === 'once') return;
    if (isAllowed && lifetime === 'session')
      this.#data.session = [...this.#data.session, command].slice(-MAX_DECISIONS);
    else
      turn.decisions = Object.fromEntries(
        [...Object.entries(turn.decisions), [command, isAllowed] as const].slice(-MAX_DECISIONS),
      );
    const held = new Set([...this.#data.session, ...Object.keys(turn.decisions)]);
    const texts = Object.entries(this.#data.texts).filter(([each]) => held.has(each));
    this.#data.texts = Object.fromEntries([...texts, [command, text]]);
    this.#isChanged = true;
  }

  /** What is allowed for the session and for the turn. */
  granted(): { id: string; text: string; lifetime: 'run' | 'session' }[] {
    const { session, texts, turn } = this.#data;
    const ofTurn = Object.keys(turn.decisions).filter((command) => turn.decisions[command] === true);
    const describe = (command: string, lifetime: 'run' | 'session') => ({
      id: sha256(command),
      text: texts[command] ?? '',
      lifetime,
    });
    return [
      ...session.map((command) => describe(command, 'session')),
      ...ofTurn.map((command) => describe(command, 'run')),
    ];
  }

  /** Forgets what was allowed, by the ids of `granted`. Returns whether anything was. */
  revoke(ids: ReadonlySet<string>): boolean {
    const { session, turn } = this.#data;
    const stays = (command: string): boolean => !ids.has(sha256(command));
    const decisions = Object.entries(turn.decisions).filter(
      ([command, isAllowed]) => !isAllowed || stays(command),
    );
    const left = session.filter(stays);
    if (left.length === session.length && decisions.length === Object.keys(turn.decisions).length)
      return false;
    this.#data.session = left;
    turn.decisions = Object.fromEntries(decisions);
    this.#isChanged = true;
    return true;
  }

  /** The record to store. */
  snapshot(): object {
    return structuredClone(this.#data);
  }

  /** The step in which each of the latest commands was asked about, by call id. */
  get asked(): Readonly<Record<string, number>> {
    return this.#data.turn.asked;
  }

  setAsked(asked: Record<string, number>): void {
    this.#data.turn.asked = asked;
    this.#isChanged = true;
  }

  get budget(): Grant | null {
    return this.#data.turn.budget;
  }

  setBudget(grant: Grant): void {
    this.#data.turn.budget = grant;
    this.#isChanged = true;
  }
}

function noApprovals(): ApprovalData {
  return { session: [], texts: {}, turn: { id: '', decisions: {}, answers: {}, asked: {}, budget: null } };
}

/** Approvals as they were stored. A record that cannot be read allows nothing. */
function readApprovals(value: unknown): ApprovalData {
  const schema = s.object({
    session: s.list(s.string()),
    texts: s.withDefault(s.record(s.string()), {}),
    turn: s.object({
      id: s.string(),
      decisions: s.record(s.boolean()),
      answers: s.record(s.object({ answer: s.string(), at: s.number() })),
      asked: s.record(s.number()),
      budget: s.nullable(s.object({ rounds: s.number(), asked: s.number() })),
    }),
  });
  const stored = s.read(schema, value);
  return stored.success ? structuredClone(stored.data) : noApprovals();
}

/** Key of the record with what the user has allowed a role, in the table `approvals`. */
export function approvalsKey(role: string): string {
  return `role/${role}`;
}
