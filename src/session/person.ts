import { RoleZeroError } from '../base/error.js';
import { hasLapsed, type Human, type Question } from '../base/human.js';
import { isRecord } from '../base/json.js';
import type { Write } from '../base/store.js';
import { answerKey } from '../role/ask-user.js';

/** Characters of one answer. */
const MAX_ANSWER = 1_000_000;

/** Milliseconds; browsers take more for none. Nobody is waited for that long. */
const LONGEST_TIMER = 2 ** 31 - 1;

interface Row {
  key: string;
  value: unknown;
}

/** How a question reaches the person: an answer, or null to leave it open. */
export type AskPerson = (question: Question, signal: AbortSignal) => Promise<string | null>;

/** A question, and once there is one its answer with the time at which it was given. */
interface Asked {
  question: Question;
  answer: string | null;
  at: number | undefined;
}

/**
 * The person in front of a session. A question is open until an answer is stored; the answer may come from whoever shows the
 * question or through `answer`, also after a reload.
 */
export class Person implements Human {
  readonly #questions = new Map<string, Asked>();
  readonly #listening = new Map<string, (answer: string) => void>();

  constructor(
    private readonly show: AskPerson,
    private readonly commit: (writes: readonly Write[]) => Promise<void>,
    private readonly now: () => number,
  ) {}

  /** Restores the records of the tables `questions` and `approvals`. An answer may be a permission, so it is in the second one. */
  restore(rows: readonly Row[], approvals: readonly Row[]): void {
    this.#questions.clear();
    const answers = new Map(approvals.map(({ key, value }) => [key, value]));
    for (const { key, value } of rows) {
      const question = isRecord(value) ? value['question'] : null;
      if (!isRecord(question) || typeof question['text'] !== 'string') {
        throw new RoleZeroError('storage-corrupt', 'A stored question cannot be read.', { key });
      }
      const given = answers.get(answerKey(key));
      const { answer, at } = isRecord(given) ? given : {};
      this.#questions.set(key, {
        question: question as unknown as Question,
        answer: typeof answer === 'string' ? answer : null,
        at: typeof at === 'number' ? at : undefined,
      });
    }
  }

  /** The oldest question without an answer, or null. */
  get waiting(): Question | null {
    for (const { question, answer } of this.#questions.values()) if (answer === null) return question;
    return null;
  }

  /** Questions that were answered when the role that asked had stopped waiting. */
  get answered(): string[] {
    return [...this.#questions].flatMap(([id, { answer }]) => (answer === null ? [] : [id]));
  }

  /** A stored question is told of: from now on it can be seen and answered, also before the role that asks comes to wait for it. */
  opened(question: Question): void {
    if (!this.#questions.has(question.id))
      this.#questions.set(question.id, { question, answer: null, at: undefined });
  }

  /** Forgets questions that are not asked any more. */
  forgetAll(): void {
    this.#questions.clear();
  }

  async ask(question: Question, signal: AbortSignal): Promise<string | null> {
    const known = this.#questions.get(question.id);
    if (known !== undefined && known.answer !== null && !hasLapsed(question.kind, known.at, this.now()))
      return this.taken(question.id, known.answer);
    this.#questions.set(question.id, { question, answer: null, at: undefined });
    signal.throwIfAborted();
    let abort = (): void => {};
    const elsewhere = new Promise<string>((resolve, reject) => {
      this.#listening.set(question.id, resolve);
      abort = () => reject(new RoleZeroError('aborted', 'Stopped.', {}, signal.reason));
      signal.addEventListener('abort', abort, { once: true });
    });
    elsewhere.catch(() => {}); // the stop may come when the answer is already there
    const limit = timeLimit(question.answerWithinMs);
    try {
      const shown = this.show(question, signal);
      shown.catch(() => {}); // it may fail after the answer came another way
      const first = await Promise.race([
        // Who leaves it open may still answer within the time there is.
        shown.then(async (answer) => ({ answer: answer ?? (await limit.over) })),
        elsewhere.then((answer) => ({ stored: answer })),
        ...(limit.over === null ? [] : [limit.over.then((answer) => ({ answer }))]),
      ]);
      if ('stored' in first) return this.taken(question.id, first.stored);
      const late = this.#questions.get(question.id)?.answer;
      if (late !== undefined && late !== null) return this.taken(question.id, late);
      if (first.answer === null) {
        if (question.lapses) this.#questions.delete(question.id);
        return null;
      }
      await this.store(question, first.answer);
      return this.taken(question.id, first.answer);
    } finally {
      signal.removeEventListener('abort', abort);
      this.#listening.delete(question.id);
      limit.cancel();
    }
  }

  /**
   * Stores an answer to an open question. A run that waits for it goes on; otherwise resume the session.
   * @throws RoleZeroError `not-found` when no such question is open, `invalid` when the answer is longer than a million characters.
   */
  async answer(id: string, text: string): Promise<void> {
    const open = this.#questions.get(id);
    if (open === undefined || open.answer !== null) {
      throw new RoleZeroError(
        'not-found',
        'This question is not open: it was answered already, or never asked.',
        { id },
      );
    }
    await this.store(open.question, text);
    this.#listening.get(id)?.(text);
  }

  private async store(question: Question, answer: string): Promise<void> {
    if (answer.length > MAX_ANSWER) {
      throw new RoleZeroError(
        'invalid',
        `The answer has ${answer.length} characters, at most ${MAX_ANSWER} are taken. Put long material into a file and name it.`,
        { id: question.id, length: answer.length },
      );
    }
    const at = this.now();
    await this.commit([{ table: 'approvals', key: answerKey(question.id), value: { answer, at } }]);
    this.#questions.set(question.id, { question, answer, at });
  }

  private taken(id: string, answer: string): string {
    this.#questions.delete(id);
    return answer;
  }
}

/** The empty answer, when the time is over; null without a limit. */
function timeLimit(ms = Infinity): { over: Promise<string> | null; cancel: () => void } {
  if (ms > LONGEST_TIMER) return { over: null, cancel: () => {} };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(''), ms);
  });
  return { over, cancel: () => clearTimeout(timer) };
}
