import { html, type TemplateResult } from 'lit';
import { until } from 'lit/directives/until.js';

type Markdown = typeof import('./markdown/index.js');

let loaded: Markdown | null = null;
let loading: Promise<Markdown> | null = null;

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
export function markdownView(text: string): TemplateResult {
  if (loaded !== null) return loaded.markdown(text);
  const plain = html`<div class="markdown plain">${text}</div>`;
  const read = loadMarkdown().then(
    ({ markdown }) => markdown(text),
    () => plain,
  );
  return html`${until(read, plain)}`;
}
