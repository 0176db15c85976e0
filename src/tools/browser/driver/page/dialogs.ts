import { MESSAGE_LIMITS } from '../../limits.js';
import type { DialogPolicy } from '../../protocol.js';
import type { HostPort } from '../port.js';
import { cut } from '../view/quote.js';

/**
 * Replaces `alert`, `confirm`, `prompt` and `print`. They are synchronous, so a policy answers them. Each dialog is reported to the host.
 */
export class Dialogs {
  /** Dialogs shown since the list was last read. */
  shown: string[] = [];

  constructor(
    readonly host: HostPort,
    public policy: DialogPolicy,
  ) {
    window.alert = (message?: unknown) => this.#tell('alert', message, 'OK');
    window.confirm = (message?: unknown) => {
      const { accept } = this.policy;
      this.#tell('confirm', message, accept ? 'OK' : 'Cancel');
      return accept;
    };
    window.prompt = (message?: unknown, initial?: unknown) => {
      const { accept, text } = this.policy;
      const answer = accept ? (text ?? dialogText(initial)) : null;
      this.#tell('prompt', message, answer === null ? 'Cancel' : answer);
      return answer;
    };
    window.print = () => this.#tell('print', '', 'not printed');
  }

  #tell(kind: 'alert' | 'confirm' | 'prompt' | 'print', message: unknown, answer: string): void {
    const text = cut(dialogText(message), MESSAGE_LIMITS.message);
    if (this.shown.length < 20)
      this.shown.push(`${kind} '${cut(text, 300)}' was answered: ${cut(answer, 100)}`);
    this.host.event({ event: 'dialog', kind, message: text, answer: cut(answer, MESSAGE_LIMITS.message) });
  }
}

function dialogText(value: unknown): string {
  return [value].join(); // empty for undefined
}
