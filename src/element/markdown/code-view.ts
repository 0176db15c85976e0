import { html, type TemplateResult } from 'lit';
import { until } from 'lit/directives/until.js';

/** A piece of code. `kind` becomes the class of its element, such as `tok-keyword`; empty for plain text. */
export interface CodePiece {
  text: string;
  kind: string;
}

/** Splits code in a language, as the reply names it, into pieces with colors; null for a language that it does not know. */
export type Highlight = (code: string, language: string) => readonly CodePiece[] | null;

/** Texts of the button that copies code, and the colors of code. */
export interface CodeOptions {
  copy: string;
  copied: string;
  highlight: Highlight | Promise<Highlight> | null;
}

/** Maximum number of characters that are colored. */
const MAX_COLORED = 20_000;
/** Milliseconds for which the button says that the code was copied. */
const COPIED_MS = 2_000;

/** A block of code; with options, its language above it, and a button that copies it. */
export function codeView(code: string, language: string, options: CodeOptions | undefined): TemplateResult {
  const block = html`<pre><code>${content(code, language, options?.highlight ?? null)}
</code></pre>`;
  if (options === undefined) return block;
  return html`<div class="code">
    <div class="code-head">
      <span>${language}</span>
      <button
        type="button"
        class="quiet"
        part="copy-code"
        @click=${(event: Event) => void copy(code, event.currentTarget as HTMLElement, options)}
      >
        ${options.copy}
      </button>
    </div>
    ${block}
  </div>`;
}

function content(code: string, language: string, highlight: CodeOptions['highlight']): unknown {
  if (highlight === null || language === '' || code.length > MAX_COLORED) return code;
  const colored = (known: Highlight): unknown =>
    known(code, language)?.map(({ text, kind }) =>
      kind === '' ? text : html`<span class=${kind}>${text}</span>`,
    ) ?? code;
  if (typeof highlight === 'function') return colored(highlight);
  return until(
    highlight.then(colored, () => code),
    code,
  );
}

async function copy(code: string, button: HTMLElement, words: CodeOptions): Promise<void> {
  try {
    await navigator.clipboard.writeText(code);
  } catch {
    return; // The page may not write to the clipboard; the text can be selected.
  }
  button.textContent = words.copied;
  setTimeout(() => (button.textContent = words.copy), COPIED_MS);
}
