import { html, type TemplateResult } from 'lit';
import { until } from 'lit/directives/until.js';
import type { MarkdownWords, Renderers } from './markdown/renderers.js';

type Markdown = typeof import('./markdown/index.js');

type Loaders = { readonly [Name in keyof Renderers]?: () => Promise<Renderers[Name]> };

/** What in a text needs each renderer. */
const NEEDED: Readonly<Record<keyof Renderers, RegExp>> = {
  highlight: /^ {0,3}(?:```|~~~)/m,
  math: /\$|\\[([]/,
  diagram: /^ {0,3}(?:```|~~~) *mermaid\b/m,
};

let loaded: Markdown | null = null;
let loading: Promise<Markdown> | null = null;
let loaders: Loaders = {};
let renderers: Partial<Renderers> = {};
const loadingRenderers = new Map<keyof Renderers, Promise<void>>();

/**
 * Sets what colors code, shows formulas, and draws diagrams in replies, in all `<rolezero-chat>` of the page. Each is loaded for the first reply that
 * needs it. Until then, where it cannot be loaded, and by default, such parts are text.
 *
 * @example setRenderers({ highlight: async () => (await import('./highlight.js')).highlight });
 */
export function setRenderers(given: Loaders): void {
  loaders = given;
  renderers = {};
  loadingRenderers.clear();
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
export function markdownView(text: string, words: MarkdownWords): TemplateResult {
  const { copy, copied, diagramAlt } = words;
  const shown = (reader: Markdown): TemplateResult =>
    reader.markdown(text, { copy, copied, diagramAlt, ...renderers });
  const needed = neededFor(text).map(loadRenderer);
  if (loaded !== null && needed.length === 0) return shown(loaded);
  const plain = html`<div class="markdown plain">${text}</div>`;
  const before = loaded === null ? plain : shown(loaded);
  const read = Promise.all([loadMarkdown(), ...needed]).then(
    ([reader]) => shown(reader),
    () => before,
  );
  return html`${until(read, before)}`;
}

/** The renderers that a text needs, and that are not loaded yet. */
function neededFor(text: string): (keyof Renderers)[] {
  const names = Object.keys(NEEDED) as (keyof Renderers)[];
  return names.filter(
    (name) => loaders[name] !== undefined && renderers[name] === undefined && NEEDED[name].test(text),
  );
}

/** Loads a renderer. A failure is tried again with the next text that needs it. */
function loadRenderer(name: keyof Renderers): Promise<void> {
  const known = loadingRenderers.get(name);
  if (known !== undefined) return known;
  const loading = Promise.resolve(loaders[name]?.()).then(
    (ready) => {
      if (loadingRenderers.get(name) === loading) renderers = { ...renderers, [name]: ready };
    },
    () => void loadingRenderers.delete(name),
  );
  loadingRenderers.set(name, loading);
  return loading;
}
