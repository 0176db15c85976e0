import { html, type TemplateResult } from 'lit';
import { until } from 'lit/directives/until.js';
import type { CodeOptions, Highlight } from './markdown/code-view.js';

type Markdown = typeof import('./markdown/index.js');

let loaded: Markdown | null = null;
let loading: Promise<Markdown> | null = null;
let loadHighlight: (() => Promise<Highlight>) | null = null;
let loadingColors: Promise<void> | null = null;
let highlight: Highlight | null = null;

/**
 * Sets how code in replies is colored, in all `<rolezero-chat>` of the page. `load` is called for the first code, so that its parsers are
 * loaded on demand.
 *
 * @example setHighlighter(async () => (await import('./highlight.js')).highlight);
 */
export function setHighlighter(load: () => Promise<Highlight>): void {
  loadHighlight = load;
  loadingColors = null;
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
  const shown = (reader: Markdown): TemplateResult => reader.markdown(text, { copy, copied, highlight });
  const colors = loadColors(text);
  if (loaded !== null && colors === null) return shown(loaded);
  const plain = html`<div class="markdown plain">${text}</div>`;
  const before = loaded === null ? plain : shown(loaded);
  const read = Promise.all([loadMarkdown(), colors]).then(
    ([reader]) => shown(reader),
    () => before,
  );
  return html`${until(read, before)}`;
}

/** Loads the colors for the first text with a block of code; null when there is nothing to wait for. A failure is tried again with the next one. */
function loadColors(text: string): Promise<void> | null {
  if (highlight !== null || loadHighlight === null || !/^ {0,3}(?:```|~~~)/m.test(text)) return null;
  loadingColors ??= loadHighlight().then(
    (ready) => void (highlight = ready),
    () => void (loadingColors = null),
  );
  return loadingColors;
}
