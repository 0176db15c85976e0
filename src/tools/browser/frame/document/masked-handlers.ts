import { newId } from '../../../../core/new-id.js';

/**
 * Matches `onclick=` and similar, where an attribute may start. It also matches in scripts and values, where `unmask` restores the text.
 */
const HANDLER = /(?<=[\s"'/])on(?=[a-z]+\s*=)/gi;

/**
 * Renames the inline handlers of a page while it is parsed in a document of the application. Browsers check handlers there against the
 * application's Content-Security-Policy and report violations. The handlers run only in the page's own frame, under its own policy.
 */
export class MaskedHandlers {
  /** Prefix that is valid at the start of an attribute name and of a JavaScript identifier. No name in the page uses it. */
  readonly #mask = `rz${newId()}`;

  /** Renames the handlers in the text of a page. */
  mask(html: string): string {
    return html.replace(HANDLER, (on) => this.#mask + on);
  }

  /** Restores the names in a text. */
  unmask(text: string): string {
    return text.replaceAll(this.#mask, '');
  }

  /** Returns whether a text contains renamed handlers. */
  isMasked(text: string): boolean {
    return text.includes(this.#mask);
  }

  /** Returns whether an attribute is a renamed handler. */
  isHandler(name: string): boolean {
    return name.startsWith(`${this.#mask}on`);
  }
}
