import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.js';
import type { State } from '../state/app-state.js';
import { t } from '../text/index.js';

/**
 * Pages of the agent and of the user. Both frames always exist, also hidden: agents test pages in the background, and
 * a frame that is moved or removed loses its content.
 */
export function previewView(state: State, app: App): TemplateResult {
  const { page } = state;
  const by = page?.by ?? 'agent';
  return html`
    <form
      class="address"
      @submit=${(event: SubmitEvent) => {
        event.preventDefault();
        const field = (event.currentTarget as HTMLFormElement).elements.namedItem('url') as HTMLInputElement;
        void app.control.files.preview(field.value);
      }}
    >
      <input
        name="url"
        aria-label=${t.address}
        placeholder="/index.html"
        autocomplete="off"
        spellcheck="false"
        .value=${page?.url ?? ''}
      />
      <button type="submit" class="quiet framed small" ?disabled=${state.session === null}>${t.goTo}</button>
    </form>
    <div class="stages ${page === null ? 'empty-stage' : ''}">
      ${page === null ? html`<p class="empty">${t.noPage}</p>` : nothing}
      <iframe
        data-stage="agent"
        title="${t.pages}: ${t.panes.talk}"
        class=${by === 'agent' ? 'front' : ''}
      ></iframe>
      <iframe
        data-stage="person"
        title="${t.pages}: ${t.you}"
        class=${by === 'person' ? 'front' : ''}
      ></iframe>
    </div>
  `;
}
