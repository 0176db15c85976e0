import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.js';
import type { PreviewWidth, State } from '../state/app-state.js';
import { tourIn } from '../state/session-names.js';
import { readOnlyReason } from '../state/read-only.js';
import { t } from '../text/index.js';
import { emptyView, icon, iconButton, type IconName } from './icons.js';

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
    <div class="preview-bar">
      ${addressView(state, app)} ${reloadView(state, app)} ${widthsView(state, app)} ${fullScreenView(state)}
      ${pointView(state, app)}
      ${iconButton('share', t.share, () => app.openShare(), { disabled: page === null })}
    </div>
    ${errorsView(state, app)} ${pointHint(state)}
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

/** Points at an element of the page, which the next request names. */
function pointView(state: State, { control }: App): TemplateResult | typeof nothing {
  const { page, isPointing, session } = state;
  if (readOnlyReason(state) !== null || tourIn(session) !== null) return nothing;
  return html`<button
    type="button"
    class="quiet small"
    data-point
    title=${isPointing ? t.pointHint : t.point}
    aria-pressed=${isPointing ? 'true' : 'false'}
    ?disabled=${page === null}
    @click=${() => void control.point.toggle()}
  >
    ${icon('target')}<span class="sr">${t.point}</span>
  </button>`;
}

/** How to point, above the page. */
function pointHint({ isPointing }: State): TemplateResult | typeof nothing {
  return isPointing ? html`<p class="point-hint">${icon('target')} ${t.pointHint}</p>` : nothing;
}

function reloadView({ page }: State, { control }: App): TemplateResult {
  const reload = (): void => void control.guarded(() => control.files.reload());
  return iconButton('reload', t.reloadPreview, reload, { disabled: page === null });
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

/** Shows the page on the whole screen, where the browser allows it. Escape ends it. */
function fullScreenView({ page }: State): TemplateResult | typeof nothing {
  if (!document.fullscreenEnabled) return nothing;
  const show = (): void => void document.querySelector('.stages')?.requestFullscreen();
  return iconButton('expand', t.fullScreen, show, { disabled: page === null });
}

/** The errors of the page, and a button that asks the agent to repair them. */
function errorsView(state: State, app: App): TemplateResult | typeof nothing {
  const { pageErrors, session } = state;
  const newest = pageErrors.at(-1);
  if (newest === undefined) return nothing;
  const mayAsk = readOnlyReason(state) === null && tourIn(session) === null;
  return html`<div class="page-errors" role="status">
    ${icon('warn')}
    <p title=${pageErrors.join('\n')}><strong>${t.pageErrors(pageErrors.length)}</strong> ${newest}</p>
    ${
      mayAsk
        ? html`<button type="button" class="small" @click=${() => void app.control.askToFix()}>
            ${t.askToFix}
          </button>`
        : nothing
    }
    ${iconButton('cross', t.close, () => app.control.files.errors.dismiss())}
  </div>`;
}
