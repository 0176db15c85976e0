import { hasLapsed, type Question } from '../base/human.js';
import type { Phase } from '../base/events.js';
import type { RoleContext } from './context.js';
import type { Journal } from './journal.js';
import { Suspension, type Run } from './outcome.js';
import type { Reaction, RoleState } from './state.js';

/** What talking to the person needs of the role that talks. */
export interface DialogueHost {
  name: string;
  state(): RoleState;
  reaction(): Reaction;
  context(): RoleContext;
  journal(): Journal;
  commit(): Promise<void>;
  enter(phase: Phase): void;
}

/** Questions of a role to the person: stored before they are shown, asked once, answered once, whatever crashes in between. */
export class Dialogue {
  constructor(private readonly host: DialogueHost) {}

  /**
   * The answer to a question; null when nobody is there at all, or it lapsed. `key` is unlike that of any other question of the step.
   * An approval that has waited too long to be used is asked for again.
   * @throws Suspension when the question stays open.
   */
  async ask(run: Run, key: string, about: Omit<Question, 'id' | 'role'>): Promise<string | null> {
    const { human, runtime } = this.host.context();
    if (human === null) return null;
    const reaction = this.host.reaction();
    const { answers } = reaction;
    const known = answers[key];
    const { approvedAt = {} } = reaction;
    if (known !== undefined && !hasLapsed(about.kind, approvedAt[key], runtime.now())) return known;
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
    if (answer !== null) {
      answers[key] = answer;
      const given = Object.entries(approvedAt).filter(([other]) => other in answers);
      if (about.kind === 'approval')
        reaction.approvedAt = Object.fromEntries([...given, [key, runtime.now()]]);
    } else if (!question.lapses) throw new Suspension(question);
    state.question = null;
    journal.remove('questions', id);
    this.host.enter(before);
    return answer;
  }

  /** The same question will be asked anew. */
  forget(key: string): void {
    const reaction = this.host.reaction();
    const { [key]: _, ...others } = reaction.answers;
    reaction.answers = others;
  }
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
