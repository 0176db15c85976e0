import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../../app.js';
import type { ModelCard, State } from '../../state/app-state.js';
import { isConnected, noSettings } from '../../state/settings.js';
import { dialogTexts } from '../../text/dialogs.js';
import { t } from '../../text/index.js';
import { icon, type IconName } from '../icons.js';
import { hereView } from './here.js';
import { localServerView } from './local-server.js';
import { serverForm } from './server-form.js';

const CARDS: readonly [ModelCard, IconName][] = [
  ['here', 'screen'],
  ['server', 'terminal'],
  ['key', 'key'],
];

/** Model selection in three groups: in this browser, a server on this machine, a hosted service. */
export function modelDialog(state: State, app: App): TemplateResult {
  const { needsModel, modelCard, settings } = state;
  const d = dialogTexts(state);
  return html`
    ${needsModel ? html`<p class="request-waits" role="status">${d.requestWaits}</p>` : nothing}
    <div class="cards" role="group" aria-labelledby="dialog-title">
      ${CARDS.map(
        ([card, name]) =>
          html`<button
            type="button"
            class="card"
            data-card=${card}
            aria-pressed=${card === modelCard ? 'true' : 'false'}
            aria-controls="model-card"
            @click=${() => {
              app.models.forgetCheck();
              app.store.update({ modelCard: card });
            }}
          >
            ${icon(name)} <strong>${d.cards[card].title}</strong><small>${d.cards[card].about}</small>
            <small class="state">${cardState(state, card)}</small>
          </button>`,
      )}
    </div>
    <div id="model-card" class="card-body">${cardView(state, app)}</div>
    <div class="buttons">
      ${
        needsModel
          ? html`<button
              type="button"
              class="quiet"
              @click=${() => {
                app.closeDialog();
                void app.control.startTour('build-a-game');
              }}
            >
              ${icon('film')} ${d.tourInstead}
            </button>`
          : nothing
      }
      ${
        isConnected(settings)
          ? html`<button
              type="button"
              class="quiet"
              @click=${() => void app.control.connectModel(noSettings)}
            >
              ${d.disconnect}
            </button>`
          : nothing
      }
    </div>
  `;
}

function cardView(state: State, app: App): TemplateResult {
  switch (state.modelCard) {
    case 'here':
      return hereView(state, app);
    case 'server':
      return localServerView(state, app);
    case 'key':
      return serverForm(state, app, 'hosted');
  }
}

/** What the search has found for a group. */
function cardState({ ways, stock, preferences, keyIsMissing }: State, card: ModelCard): string {
  const d = dialogTexts({ preferences });
  if (card === 'key') return keyIsMissing ? t.enterKey : d.keyState;
  if (ways === null) return d.looking;
  if (card === 'server') {
    const names = new Set(ways.ways.filter(({ kind }) => kind === 'server').map(({ server }) => server));
    return names.size === 0 ? d.noneFound : d.serversFound([...names].join(', '));
  }
  const stored = stock?.models.filter(({ isComplete }) => isComplete).length ?? 0;
  if (stored > 0) return d.storedCount(stored);
  return ways.ways.some(({ kind, download }) => kind === 'chrome' && download === null)
    ? d.readyToUse
    : d.needsDownload;
}
