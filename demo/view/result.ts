import { html, nothing, type TemplateResult } from 'lit';
import { isolated } from 'rolezero/element';
import type { App } from '../app.js';
import type { State } from '../state/app-state.js';
import { mainPage, pathOf } from '../state/main-page.js';
import { t } from '../text/index.js';
import { icon } from './icons.js';

/** Maximum number of files that are named one by one. */
const MAX_CHIPS = 3;

/** What a finished run leaves: the agent's files, the page, and everything as a zip. Nothing while there is more to do. */
export function resultView(state: State, app: App): TemplateResult | typeof nothing {
  const paths = writtenFiles(state);
  const isOpen = state.runningSince !== null || state.question !== null || state.paused !== null;
  if (isOpen || state.opening || paths.length === 0) return nothing;
  const { files } = app.control;
  const page = mainPage(paths);
  const isBeside =
    page !== undefined && state.tab === 'preview' && state.page !== null && pathOf(state.page.url) === page;
  return html`<div class="result" data-entry="result" role="group" aria-label=${t.results}>
    ${paths
      .slice(0, MAX_CHIPS)
      .map(
        (path) =>
          html`<button
            type="button"
            class="quiet framed small"
            data-result=${path}
            @click=${() => show(app, path)}
          >
            ${icon('file')} ${isolated(path.slice(1))}
          </button>`,
      )}
    ${paths.length > MAX_CHIPS ? html`<span>${t.moreFiles(paths.length - MAX_CHIPS)}</span>` : nothing}
    <span class="actions">
      ${
        page === undefined
          ? nothing
          : html`<button
              type="button"
              class="small ${isBeside ? 'is-beside' : ''}"
              @click=${() => void files.preview(page)}
            >
              ${icon('eye')} ${t.openResult}
            </button>`
      }
      <button type="button" class="quiet framed small" data-share @click=${() => app.openShare()}>
        ${icon('share')} ${t.share}
      </button>
    </span>
  </div>`;
}

function show(app: App, path: string): void {
  app.showTab('files');
  void app.control.files.show(path);
}

/** The files that the agent wrote and that still exist, the newest last. */
function writtenFiles({ history, files }: State): string[] {
  const existing = new Set(files.flatMap(({ path, type }) => (type === 'file' ? [path] : [])));
  const written = history.filter(({ by, undone }) => by === 'agent' && !undone).flatMap(({ paths }) => paths);
  return [...new Set(written)].filter((path) => existing.has(path));
}
