import { html, type TemplateResult } from 'lit';
import type { App } from '../app.js';
import type { Way } from '../state/offers.js';
import { t } from '../text/index.js';
import { nameOfWay, reasonOf } from '../text/ways.js';
import { icon } from './icons.js';

/** The automatically selected model, and the reason. */
export function pickedView(way: Way, app: App): TemplateResult {
  return html`<div class="notice info" role="note" data-entry="picked">
    ${icon('sliders')}
    <div>
      <p><strong>${t.picked(nameOfWay(way))}</strong> ${reasonOf(way)}</p>
      <div class="buttons">
        <button type="button" class="quiet small" @click=${() => app.openModels()}>${t.otherModel}</button>
      </div>
    </div>
  </div>`;
}

/** The progress of a loading model, in its own words. */
export function loadingView(share: number, text: string): TemplateResult {
  return html`<p class="aside loading" data-entry="loading">
    <span class="spinner"></span> <span>${text}</span>
    <progress max="1" .value=${share} aria-label=${text}></progress>
  </p>`;
}
