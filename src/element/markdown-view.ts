import { html, type TemplateResult } from 'lit';
import { until } from 'lit/directives/until.js';
import type { CodeOptions, Highlight } from './markdown/code-view.js';

type Markdown = typeof import('./markdown/index.js');

let loaded: Markdown | null = null;
let loading: Promise<Markdown> | null = null;
let loadHighlight: (() => Promise<Highlight>) | null = null;
let highlight: CodeOptions['highlight'] = null;

/**
 * Sets how code in replies is colored, in all `<rolezero-chat>` of the page. `load` is called for the first code, so that its parsers are
 * loaded on demand.
 *
 * @example setHighlighter(async () => (await import('./highlight.js')).highlight);
 */
export function setHighlighter(load: () => Promise<Highlight>): void {
  loadHighlight = load;
  highlight = null;
}

/** Loads the reader of Markdown, which is a third of all that a page loads for a conversation. A failure is tried again with the next text. */
export async function loadMarkdown(): Promise<Markdown> {
  loading ??= import('./markdown/index.js');
  try {
    loaded = await loading;
    return loaded;
  } catch (error) {
    loading = null;
    throw error;
  }
}

/** Returns a lit template of Markdown. Until its reader is loaded, and where it cannot be, it shows the text as it was written. */
export function markdownView(text: string, { copy, copied }: Omit<CodeOptions, 'highlight'>): TemplateResult {
  const options = { copy, copied, highlight: highlightOf(text) };
  if (loaded !== null) return loaded.markdown(text, options);
  const plain = html`<div class="markdown plain">${text}</div>`;
  const read = loadMarkdown().then(
    ({ markdown }) => markdown(text, options),
    () => plain,
  );
  return html`${until(read, plain)}`;
}

/** Loads the colors for the first text with a block of code. A failure is tried again with the next one. */
function highlightOf(text: string): CodeOptions['highlight'] {
  if (highlight !== null || loadHighlight === null || !/^ {0,3}(?:```|~~~)/m.test(text)) return highlight;
  const load = loadHighlight();
  highlight = load;
  load.then(
    (ready) => (highlight = ready),
    () => (highlight = null),
  );
  return load;
}
