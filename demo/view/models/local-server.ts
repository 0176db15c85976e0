import { html, type TemplateResult } from 'lit';
import type { App } from '../../app.js';
import type { State } from '../../state/app-state.js';
import { isSystem, serverStarts, systemHere, SYSTEMS } from '../../state/server-starts.js';
import { dialogTexts } from '../../text/dialogs.js';
import { nameOfWay } from '../../text/ways.js';
import { icon } from '../icons.js';
import { serverForm } from './server-form.js';

/** The system that the user has chosen in this visit. */
let system = systemHere();

/** Servers on this machine: those that answer, how to start one, and one at another address. */
export function localServerView(state: State, app: App): TemplateResult {
  const { ways } = state;
  const d = dialogTexts(state);
  const found = ways?.ways.filter(({ kind }) => kind === 'server') ?? [];
  return html`
    <div class="found">
      ${
        ways === null
          ? html`<p class="aside" role="status"><span class="spinner"></span> ${d.looking}</p>`
          : found.length === 0
            ? html`<p>${d.noServer}</p>`
            : html`<ul class="ways">
                ${found.map(
                  (way) =>
                    html`<li data-way="server">
                      <span class="text"
                        ><strong>${nameOfWay(way)}</strong
                        ><small>${way.server} · ${way.settings.baseURL}</small></span
                      >
                      <button
                        type="button"
                        class="small"
                        @click=${() => void app.control.guarded(() => app.models.use(way))}
                      >
                        ${d.use}<span class="sr"> ${nameOfWay(way)}</span>
                      </button>
                    </li>`,
                )}
              </ul>`
      }
      <button
        type="button"
        class="quiet framed small"
        ?disabled=${ways === null}
        @click=${() => {
          app.store.update({ ways: null });
          void app.control.guarded(() => app.models.look());
        }}
      >
        ${d.lookAgain}
      </button>
    </div>
    <details class="reasons" ?open=${ways !== null && found.length === 0}>
      <summary>${d.howToStart}</summary>
      ${startsView(state, app)}
    </details>
    <details class="reasons" data-other-address>
      <summary>${d.otherAddress}</summary>
      ${serverForm(state, app, 'local')}
    </details>
  `;
}

/** How to start each server on one system, with the setting that lets this page use it. */
function startsView(state: State, app: App): TemplateResult {
  const d = dialogTexts(state);
  return html`<div class="starts">
    <label class="system">
      ${d.system}
      <select
        @change=${(event: Event) => {
          const { value } = event.target as HTMLSelectElement;
          if (isSystem(value)) system = value;
          app.store.update({});
        }}
      >
        ${SYSTEMS.map((each) => html`<option value=${each} ?selected=${each === system}>${d.systems[each]}</option>`)}
      </select>
    </label>
    ${serverStarts(system, location.origin).map(
      ({ id, label, commands }) =>
        html`<section data-start=${id}>
          <h3>${label}</h3>
          <p class="hint">${d.starts[id]}</p>
          <div class="snippet">
            <pre tabindex="0" aria-label="${label}: ${d.commands}">${commands.join('\n')}</pre>
            <button
              type="button"
              class="quiet small"
              title=${d.copy}
              @click=${() => {
                void navigator.clipboard.writeText(commands.join('\n')).then(() => {
                  app.store.update({ announcement: d.copied });
                });
              }}
            >
              ${icon('copy')}<span class="sr">${d.copy}: ${label}</span>
            </button>
          </div>
        </section>`,
    )}
  </div>`;
}
