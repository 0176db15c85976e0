import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.js';
import type { PreviewWidth, State } from '../state/app-state.js';
import { t } from '../text/index.js';
import { emptyView, icon, type IconName } from './icons.js';

const WIDTHS: readonly [PreviewWidth, IconName][] = [
  ['phone', 'phone'],
  ['tablet', 'tablet'],
  ['full', 'screen'],
];

/**
 * Pages of the agent and of the user. Both frames always exist, also hidden: agents test pages in the background, and
 * a frame that is moved or removed loses its content.
 */
export function previewView(state: State, app: App): TemplateResult {
  const { page } = state;
  const by = page?.by ?? 'agent';
  return html`
    <div class="preview-bar">${addressView(state, app)} ${widthsView(state, app)}</div>
    <div class="stages ${page === null ? 'empty-stage' : ''}" data-width=${state.previewWidth}>
      ${page === null ? emptyView('screen', t.noPage) : nothing}
      <iframe
        data-stage="agent"
        title="${t.pages}: ${t.panes.talk}"
        class=${by === 'agent' ? 'front' : ''}
      ></iframe>
      <iframe data-stage="user" title="${t.pages}: ${t.you}" class=${by === 'user' ? 'front' : ''}></iframe>
    </div>
  `;
}

function addressView({ page, session }: State, app: App): TemplateResult {
  return html`<form
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
    <button type="submit" class="quiet framed small" ?disabled=${session === null}>${t.goTo}</button>
  </form>`;
}

/** The widths of the preview: toggle buttons, of which one is pressed. */
function widthsView({ previewWidth }: State, app: App): TemplateResult {
  return html`<span class="widths" role="group" aria-label=${t.previewWidth}>
    ${WIDTHS.map(
      ([width, name]) =>
        html`<button
          type="button"
          class="quiet small"
          title=${t.previewWidths[width]}
          aria-pressed=${width === previewWidth ? 'true' : 'false'}
          @click=${() => app.store.update({ previewWidth: width })}
        >
          ${icon(name)}<span class="sr">${t.previewWidths[width]}</span>
        </button>`,
    )}
  </span>`;
}
