import type { AgentEvent, Question } from 'rolezero';
import { jsonLine, withoutSecret } from './plain-text.js';
import { View } from './view.js';

/** Prints all output: as text, or with `json` events on standard output and the rest on standard error. */
export class Screen {
  readonly #view: View;
  readonly #rest: NodeJS.WriteStream;

  constructor(
    private readonly json: boolean,
    private readonly secret: string | undefined,
  ) {
    this.#rest = json ? process.stderr : process.stdout;
    this.#view = new View(this.#rest.isTTY && !process.env['NO_COLOR']);
  }

  event(event: AgentEvent): void {
    if (this.json) this.print(process.stdout, jsonLine(event));
    else this.print(this.#rest, this.#view.show(event));
  }

  question(question: Question): void {
    this.print(this.#rest, this.#view.question(question));
  }

  answer(text: string, remark = ''): void {
    this.print(this.#rest, this.#view.answer(text, remark));
  }

  note(text: string): void {
    this.print(this.#rest, this.#view.note(text));
  }

  /** Prints an important message. */
  notice(text: string): void {
    this.print(this.#rest, this.#view.note(text, 'yellow'));
  }

  failure(error: { code: string; message: string }): void {
    this.print(process.stderr, this.#view.failure(error));
  }

  /** A server may return the key; it is not printed. */
  private print(stream: NodeJS.WriteStream, text: string): void {
    if (text !== '') stream.write(withoutSecret(text, this.secret));
  }
}
