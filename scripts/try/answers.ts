import { createInterface } from 'node:readline';
import type { Question } from 'rolezero';

/** The keyboard, if there is one. */
export interface Keyboard {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  /** Handles Ctrl+C while a question is open. */
  onInterrupt: () => void;
}

/** Source of an answer: the command line, the keyboard, or the recording. */
export type AnswerSource = 'given' | 'typed' | 'recorded';

/** Answers questions: first from the command line, then from the keyboard; without one, from the recording. */
export class Answers {
  readonly #given: string[];
  readonly #closed = new AbortController();

  constructor(
    given: readonly string[],
    private readonly keyboard: Keyboard | null,
    private readonly recorded: (question: Question) => string | null = () => null,
  ) {
    this.#given = [...given];
  }

  /** Returns the answer; null when there is none and the question stays open. A number selects an option. */
  async to(question: Question): Promise<{ text: string; source: AnswerSource } | null> {
    const given = this.#given.shift();
    if (given !== undefined) return { text: meaning(given, question), source: 'given' };
    if (this.keyboard === null) {
      const recorded = this.recorded(question);
      return recorded === null ? null : { text: recorded, source: 'recorded' };
    }
    const typed = await this.type(this.keyboard);
    return typed === null ? null : { text: meaning(typed, question), source: 'typed' };
  }

  /** Whether there is a keyboard. */
  get canBeAsked(): boolean {
    return this.keyboard !== null;
  }

  /**
   * Asks the user for confirmation; answers of the command line are only for the agent's questions. False without a
   * keyboard.
   */
  async agrees(): Promise<boolean> {
    const typed = this.keyboard === null ? null : await this.type(this.keyboard);
    return typed !== null && /^y(es)?$/i.test(typed);
  }

  /** Stops reading the keyboard; open questions stay open. */
  close(): void {
    this.#closed.abort();
  }

  /** Reads a line of text; null at the end of the input. */
  private async type({ input, output, onInterrupt }: Keyboard): Promise<string | null> {
    const { signal } = this.#closed;
    if (signal.aborted) return null;
    const lines = createInterface({ input, output, prompt: '  > ', signal });
    lines.on('SIGINT', onInterrupt); // readline handles Ctrl+C itself.
    lines.prompt();
    for await (const line of lines) {
      if (line.trim() !== '') return line.trim();
      lines.prompt();
    }
    return null;
  }
}

function meaning(answer: string, { kind, options = [] }: Question): string {
  if (kind === 'approval') return /^y(es)?$/i.test(answer) ? 'yes' : 'no';
  return (/^\d{1,3}$/.test(answer) ? options[Number(answer) - 1] : undefined) ?? answer;
}
