import { html, type TemplateResult } from 'lit';
import type { App } from '../app.js';
import { TEMPLATE_NAMES } from '../templates/names.js';
import { t } from '../text/index.js';
import { singleClick } from './single-click.js';

/** Pages that work, with pictures: a click opens one in a session, where it can be changed. */
export function galleryView(app: App): TemplateResult {
  return html`<ul class="gallery" aria-label=${t.welcomeTemplates}>
    ${TEMPLATE_NAMES.map(
      (name) =>
        html`<li>
          <button
            type="button"
            data-template=${name}
            @click=${singleClick(() => void app.control.startTemplate(name))}
          >
            <img
              src="./templates/${name}.webp"
              alt=""
              width="320"
              height="200"
              loading="lazy"
              decoding="async"
            />
            ${t.templates[name]}
          </button>
        </li>`,
    )}
  </ul>`;
}

/** Changes to begin with, while a session has a page and no conversation. */
export function ideasView(app: App): TemplateResult {
  return html`<div class="ideas">
    <p>${t.templateReady}</p>
    <ul class="examples" aria-label=${t.examplesLabel}>
      ${t.templateIdeas.map(
        (idea) =>
          html`<li>
            <button
              type="button"
              class="quiet framed"
              @click=${singleClick(() => void app.send({ text: idea, files: [] }))}
            >
              ${idea}
            </button>
          </li>`,
      )}
    </ul>
  </div>`;
}
