import { html, type TemplateResult } from 'lit';
import { until } from 'lit/directives/until.js';
import type { MarkdownOptions, MarkdownWords, Renderers } from './renderers.js';

/** Maximum number of characters that are colored. */
const MAX_COLORED = 20_000;
/** Milliseconds for which the button says that the code was copied. */
const COPIED_MS = 2_000;
/** Maximum number of characters of a diagram. */
const MAX_DIAGRAM = 5_000;
/** Number of diagrams that are not drawn again while a reply is being written. */
const MAX_DRAWN = 20;

/**
 * A block of code; with options, its language above it, and a button that copies it. A diagram is drawn when it is `isWhole`: while it is being
 * written, its text is shown.
 */
export function codeView(
  code: string,
  language: string,
  isWhole: boolean,
  options: MarkdownOptions | undefined,
): TemplateResult {
  const text = html`<pre><code>${coloredCode(code, language, options?.highlight)}
</code></pre>`;
  if (options === undefined) return text;
  const isDiagram = isWhole && language === 'mermaid' && code.length <= MAX_DIAGRAM;
  const block = isDiagram ? diagramView(code, text, options) : text;
  return html`<div class="code">
    <div class="code-head">
      <span>${language}</span>
      <button
        type="button"
        class="quiet"
        part="copy-code"
        @click=${(event: Event) => void copyCode(code, event.currentTarget as HTMLElement, options)}
      >
        ${options.copy}
      </button>
    </div>
    ${block}
  </div>`;
}

function coloredCode(code: string, language: string, highlight: Renderers['highlight'] | undefined): unknown {
  if (highlight === undefined || language === '' || code.length > MAX_COLORED) return code;
  const pieces = highlight(code, language);
  return (
    pieces?.map(({ text, kind }) => (kind === '' ? text : html`<span class=${kind}>${text}</span>`)) ?? code
  );
}

/** The picture of a diagram; its text until it is drawn, and when it cannot be drawn. */
function diagramView(
  code: string,
  text: TemplateResult,
  { diagram, diagramAlt }: MarkdownOptions,
): TemplateResult {
  if (diagram === undefined) return text;
  const picture = drawing(code, diagram).then(
    (address) => html`<img class="diagram" src=${address} alt=${diagramAlt} />`,
    () => text,
  );
  return html`${until(picture, text)}`;
}

const drawings = new Map<string, Promise<string>>();

/** The address of a picture, which is not drawn again for each word that follows it. */
function drawing(code: string, draw: Renderers['diagram']): Promise<string> {
  const known = drawings.get(code);
  if (known !== undefined) return known;
  const address = draw(code).then((picture) => `data:image/svg+xml,${encodeURIComponent(picture)}`);
  drawings.set(code, address);
  const [oldest] = drawings.keys();
  if (drawings.size > MAX_DRAWN && oldest !== undefined) drawings.delete(oldest);
  return address;
}

async function copyCode(code: string, button: HTMLElement, words: MarkdownWords): Promise<void> {
  try {
    await navigator.clipboard.writeText(code);
  } catch {
    return; // The page may not write to the clipboard; the text can be selected.
  }
  button.textContent = words.copied;
  setTimeout(() => (button.textContent = words.copy), COPIED_MS);
}
