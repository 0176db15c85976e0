import { RoleZeroError } from '../core/error.js';
import { hasLapsed, type Human, type Question } from '../core/human.js';
import { serialQueue } from '../core/serial-queue.js';
import { isRecord } from '../core/json.js';
import type { Write } from '../core/store.js';
import { answerKey } from '../agent/runtime/ask-user.js';

/** Maximum number of characters of one answer. */
const MAX_ANSWER = 1_000_000;

/** In ms. Browsers treat `setTimeout` delays above 2^31-1 ms as 0. */
const LONGEST_TIMER = 2 ** 31 - 1;

interface QuestionRow {
  key: string;
  value: unknown;
}

/** Shows a question to the user; returns the answer, or null to leave the question open. */
export type AskUser = (question: Question, signal: AbortSignal) => Promise<string | null>;

/** A question with its answer, if any, and the time of the answer. */
interface AskedQuestion {
  question: Question;
  answer: string | null;
  at: number | undefined;
}

/**
 * The user of a session. A question is open until its answer is stored. The answer may come from the code that shows the question or
 * through `answer`, also after a reload.
 */
export class UserQuestions implements Human {
  readonly #show: AskUser;
  readonly #commit: (writes: readonly Write[]) => Promise<void>;
  readonly #now: () => number;
  readonly #questions = new Map<string, AskedQuestion>();
  readonly #listening = new Map<string, (answer: string) => void>();
  /** Of two answers to a question at the same time, the first one counts. */
  readonly #inTurn = serialQueue();

  constructor(show: AskUser, commit: (writes: readonly Write[]) => Promise<void>, now: () => number) {
    this.#show = show;
    this.#commit = commit;
    this.#now = now;
  }

  /** Restores the records of the tables `questions` and `approvals`. An answer may be a permission, so it is in the second one. */
  restore(rows: readonly QuestionRow[], approvals: readonly QuestionRow[]): void {
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

  /** Ids of the questions that were answered after the role that asked had stopped waiting. */
  get answered(): string[] {
    return [...this.#questions].flatMap(([id, { answer }]) => (answer === null ? [] : [id]));
  }

  /** Registers a stored question. From now on it can be seen and answered, also before the role that asks starts to wait for it. */
  opened(question: Question): void {
    if (!this.#questions.has(question.id))
      this.#questions.set(question.id, { question, answer: null, at: undefined });
  }

  /** Returns the writes that remove all questions; see `forgetAll`. */
  removals(): Write[] {
    return [...this.#questions.keys()].flatMap((id): Write[] => [
      { table: 'questions', key: id, value: undefined },
      { table: 'approvals', key: answerKey(id), value: undefined },
    ]);
  }

  /** Removes questions that are no longer asked. */
  forgetAll(): void {
    this.#questions.clear();
  }

  forget(id: string): void {
    this.#questions.delete(id);
  }

  async ask(question: Question, signal: AbortSignal): Promise<string | null> {
    const known = this.#questions.get(question.id);
    if (known !== undefined && known.answer !== null && !hasLapsed(question.kind, known.at, this.#now()))
      return this.#taken(question.id, known.answer);
    this.#questions.set(question.id, { question, answer: null, at: undefined });
    signal.throwIfAborted();
    let abort = (): void => {};
    const elsewhere = new Promise<string>((resolve, reject) => {
      this.#listening.set(question.id, resolve);
      abort = () => reject(new RoleZeroError('aborted', 'Stopped.', {}, signal.reason));
      signal.addEventListener('abort', abort, { once: true });
    });
    elsewhere.catch(() => {}); // the run may be stopped when the answer has already arrived
    const limit = timeLimit(question.answerWithinMs);
    try {
      const shown = this.#show(question, signal);
      shown.catch(() => {}); // it may fail after the answer arrived another way
      const first = await Promise.race([
        // A question left open may still be answered within the time limit.
        shown.then(async (answer) => answer ?? limit.over),
        elsewhere,
        ...(limit.over === null ? [] : [limit.over]),
      ]);
      return await this.#inTurn(async () => {
        const stored = this.#questions.get(question.id)?.answer ?? null;
        const answer = stored ?? first;
        if (answer === null) {
          if (question.lapses) this.#questions.delete(question.id);
          return null;
        }
        if (stored === null) await this.#store(question, answer);
        return this.#taken(question.id, answer);
      });
    } finally {
      signal.removeEventListener('abort', abort);
      this.#listening.delete(question.id);
      limit.cancel();
    }
  }

  /**
   * Stores an answer to an open question. A run that waits for it continues; otherwise resume the session.
   * @throws RoleZeroError `not-found` when no such question is open, `invalid` when the answer is longer than a million characters.
   */
  answer(id: string, text: string): Promise<void> {
    return this.#inTurn(async () => {
      const open = this.#questions.get(id);
      if (open === undefined || open.answer !== null) {
        throw new RoleZeroError('not-found', 'This question was answered, or never asked.', { id });
      }
      await this.#store(open.question, text);
      this.#listening.get(id)?.(text);
    });
  }

  async #store(question: Question, answer: string): Promise<void> {
    if (answer.length > MAX_ANSWER) {
      throw new RoleZeroError(
        'invalid',
        `The answer has ${answer.length} characters, at most ${MAX_ANSWER} are accepted. Put it into a file.`,
        { id: question.id, length: answer.length },
      );
    }
    const at = this.#now();
    await this.#commit([{ table: 'approvals', key: answerKey(question.id), value: { answer, at } }]);
    this.#questions.set(question.id, { question, answer, at });
  }

  #taken(id: string, answer: string): string {
    this.#questions.delete(id);
    return answer;
  }
}

/** Resolves with the empty answer after the time limit; `over` is null without a limit. */
function timeLimit(ms = Infinity): { over: Promise<string> | null; cancel: () => void } {
  if (ms > LONGEST_TIMER) return { over: null, cancel: () => {} };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(''), ms);
  });
  return { over, cancel: () => clearTimeout(timer) };
}
