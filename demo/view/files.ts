import { html, nothing, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import type { State } from '../state/app-state.js';
import { lineChanges } from '../state/line-changes.js';
import { icon } from './icons.js';

/** The most lines of a file that are put on the page. */
const MOST_LINES = 4_000;

export interface FileActions {
  show: (path: string) => void;
  download: () => void;
  follow: (on: boolean) => void;
  togglePreview: () => void;
}

/** The session's files, and one of them as it is now, with what its last change brought. */
export function filesView(state: State, actions: FileActions): TemplateResult {
  const { files, changed, openFile, follow, preview } = state;
  if (files.length === 0) return html`<p class="empty">No files yet. What the agent writes appears here.</p>`;
  return html`
    <ul class="tree">
      ${files.map(({ path, type, size }) => {
        const parts = path.split('/');
        const mark = changed.get(path);
        const indent = `padding-left: ${parts.length - 1.4}rem`;
        if (type === 'directory')
          return html`<li class="directory" style=${indent}>${icon('folder')} ${parts.at(-1)}</li>`;
        return html`<li>
          <button
            type="button"
            style=${indent}
            data-file=${path}
            aria-current=${openFile?.path === path ? 'true' : 'false'}
            @click=${() => actions.show(path)}
          >
            ${icon('file')} <span class="name">${parts.at(-1)}</span>
            ${mark === undefined ? nothing : html`<span class="badge ${mark}">${mark}</span>`}
            <span class="size">${bytes(size)}</span>
          </button>
        </li>`;
      })}
    </ul>
    ${
      openFile === null
        ? nothing
        : html`<div class="viewer">
            <div class="bar">
              <code class="path">${openFile.path}</code>
              <label
                ><input
                  type="checkbox"
                  .checked=${follow}
                  @change=${(event: Event) => actions.follow((event.target as HTMLInputElement).checked)}
                />
                Follow</label
              >
              ${
                openFile.path.endsWith('.html')
                  ? html`<button
                      type="button"
                      class="quiet"
                      aria-pressed=${preview !== null}
                      @click=${actions.togglePreview}
                    >
                      ${icon('play')} Preview
                    </button>`
                  : nothing
              }
              <button type="button" class="quiet" title="Save this file" @click=${actions.download}>
                ${icon('save')}<span class="sr">Save this file</span>
              </button>
            </div>
            ${
              preview === null
                ? html`<div class="lines" tabindex="0" role="region" aria-label="Content of ${openFile.path}">
                    ${guard([openFile], () => lines(openFile.before, openFile.content))}
                  </div>`
                : previewView(preview)
            }
          </div>`
    }
  `;
}

function lines(before: string | null, content: string): TemplateResult {
  const all = lineChanges(before, content);
  return html`<pre>
${all
        .slice(0, MOST_LINES)
        .map(
          ({ text, fresh, gap }) =>
            html`<span class="line${fresh ? ' fresh' : ''}${gap ? ' gap' : ''}">${text}${'\n'}</span>`,
        )}</pre>
    ${all.length > MOST_LINES ? html`<p class="aside">${all.length - MOST_LINES} more lines are not shown.</p>` : nothing}`;
}

/** Runs in a frame of its own origin with a policy of its own: no network, no storage, nothing of this page. */
function previewView(page: string): TemplateResult {
  const fill = (event: Event): void => {
    const frame = event.target as HTMLIFrameElement;
    if (frame.dataset['filled'] === 'true') return; // the page itself loading
    frame.dataset['filled'] = 'true';
    frame.contentWindow?.postMessage(page, '*');
  };
  return html`<iframe
    title="Preview of the page the agent wrote"
    sandbox="allow-scripts"
    src="./preview.html"
    @load=${fill}
  ></iframe>`;
}

function bytes(size: number): string {
  return size < 1_024 ? `${size} B` : `${(size / 1_024).toFixed(1)} kB`;
}
