import type { Question } from '../base/human.js';
import type { Phase } from '../base/events.js';
import type { Approvals } from './approvals.js';
import type { RoleContext } from './context.js';
import type { Journal } from './journal.js';
import { Suspension, type Run } from './outcome.js';
import type { RoleState } from './state.js';
import type { Turn } from './turn-state.js';

/** What a dialogue needs of its role. */
export interface DialogueHost {
  name: string;
  state(): RoleState;
  turn(): Turn;
  approvals: Approvals;
  context(): RoleContext;
  journal(): Journal;
  commit(): Promise<void>;
  enter(phase: Phase): void;
}

type About = Omit<Question, 'id' | 'role'>;

/** Questions of a role to the user: stored before they are shown, asked once, answered once, whatever crashes in between. */
export class Dialogue {
  constructor(private readonly host: DialogueHost) {}

  /**
   * Returns the answer to a question; null when no user is connected.
   *
   * @param key Unique in the step.
   * @throws Suspension when the question stays open.
   */
  async ask(run: Run, key: string, about: About): Promise<string | null> {
    const { answers } = this.host.turn();
    const known = answers[key];
    if (known !== undefined && this.host.context().human !== null) return known;
    const answer = await this.show(run, key, about);
    if (answer !== null) answers[key] = answer;
    return answer;
  }

  /**
   * Asks for a permission. The answer is stored among the approvals, which no import can fill. A permission that has waited too long to
   * be used is asked for again.
   *
   * @returns null when no user is connected, or the question lapsed.
   * @throws Suspension when the question stays open.
   */
  async askPermission(run: Run, key: string, about: About): Promise<string | null> {
    const { human, runtime } = this.host.context();
    const known = this.host.approvals.answerTo(key, about.kind, runtime.now());
    if (known !== null && human !== null) return known;
    const answer = await this.show(run, key, about);
    if (answer !== null) this.host.approvals.addAnswer(key, answer, runtime.now());
    return answer;
  }

  /** The answer of the user; null when none is connected, or the question lapsed. */
  private async show(run: Run, key: string, about: About): Promise<string | null> {
    const { human, runtime } = this.host.context();
    if (human === null) return null;
    const state = this.host.state();
    const journal = this.host.journal();
    const before = state.phase === 'waiting-human' ? 'acting' : state.phase;
    const open = state.question?.key === key ? state.question : null;
    const id = open?.id ?? runtime.newId();
    const question: Question = { id, role: this.host.name, ...about };
    this.host.enter('waiting-human');
    if (open === null) {
      state.question = { key, id };
      journal.put('questions', id, { question });
      journal.tell({ type: about.kind === 'approval' ? 'approval-request' : 'human-question', question });
      await this.host.commit();
    }
    const answer = await human.ask(question, run.signal);
    if (answer === null && !question.lapses) throw new Suspension(question);
    state.question = null;
    journal.remove('questions', id);
    journal.remove('approvals', answerKey(id));
    this.host.enter(before);
    return answer;
  }
}

/** Key of the record with an answer that its role has not taken yet, in the table `approvals`. */
export function answerKey(question: string): string {
  return `answer/${question}`;
}

/** The explicit token anywhere, or the bare word; "please don't stop" is neither. */
export function asksToStop(answer: string): boolean {
  return /<stop>/i.test(answer) || /^\W*stop\W*$/i.test(answer);
}

/** `yes`, `Yes, go`, not `yesterday`. */
export function isYes(answer: string): boolean {
  return /^[^\p{L}\p{N}]*((yes|y|ja|oui|sí|si)(?![\p{L}\p{N}])|是|好|可以|はい)/iu.test(answer);
}

/** A bare `no`; with a reason it says what is wanted instead. */
export function isNo(answer: string): boolean {
  return /^[^\p{L}\p{N}]*(no|n|nein|non|否|不|不是|不对|いいえ)[^\p{L}\p{N}]*$/iu.test(answer);
}
