import { html, nothing, type TemplateResult } from 'lit';
import type { Asks } from '../agent-config.js';
import type { App } from '../app.js';
import type { State } from '../state/app-state.js';
import type { Preferences } from '../state/settings.js';
import { dialogTexts } from '../text/dialogs.js';
import { LANGUAGES, type Language } from '../text/index.js';
import { bytesText } from '../text/ways.js';
import { icon } from './icons.js';
import { singleClick } from './single-click.js';

/** The user's settings of the application and its agents. */
export function settingsDialog(state: State, app: App): TemplateResult {
  const { preferences } = state;
  const d = dialogTexts(state);
  const value = (event: Event): string => (event.target as HTMLSelectElement | HTMLInputElement).value;
  const prefer = (change: Partial<Preferences>): void => void app.prefer(change);
  const choice = (name: 'notes' | 'shares' | 'fixes', label: string, hint: string) => html`
    <label class="check">
      <input
        type="checkbox"
        aria-describedby="${name}-hint"
        .checked=${preferences[name]}
        @change=${(event: Event) => prefer({ [name]: (event.target as HTMLInputElement).checked })}
      />
      ${label}
    </label>
    <p class="hint" id="${name}-hint">${hint}</p>
  `;
  return html`
    <div class="settings">
      <label>
        ${d.appearance}
        <select @change=${(event: Event) => prefer({ theme: value(event) as Preferences['theme'] })}>
          ${options(d.themes, preferences.theme)}
        </select>
      </label>
      <label>
        ${d.languageLabel}
        <select @change=${(event: Event) => prefer({ language: value(event) as Language })}>
          ${options(LANGUAGES, preferences.language)}
        </select>
      </label>
      <label>
        ${d.asksLabel}
        <select @change=${(event: Event) => prefer({ asks: value(event) as Asks })}>
          ${options(d.asksOptions, preferences.asks)}
        </select>
      </label>
      <label>
        ${d.budgetLabel}
        <input
          type="number"
          min="1000"
          step="1000"
          placeholder=${d.budgetHint}
          .value=${preferences.tokenBudget === null ? '' : String(preferences.tokenBudget)}
          @change=${(event: Event) => prefer({ tokenBudget: Number(value(event)) || null })}
        />
      </label>
      ${choice('notes', d.notesLabel, d.notesHint)} ${choice('shares', d.sharesLabel, d.sharesHint)}
      <p class="hint">${d.appliesNext}</p>
      ${choice('fixes', d.fixesLabel, d.fixesHint)}
    </div>
    ${storageView(state, app)}
  `;
}

/** What is stored in this browser, and how to delete it. */
function storageView(state: State, app: App): TemplateResult {
  const { storedData } = state;
  const d = dialogTexts(state);
  return html`<section class="stored-data" aria-labelledby="storage-title">
    <h3 id="storage-title">${d.storage}</h3>
    ${
      storedData === null
        ? html`<p class="aside" role="status"><span class="spinner"></span> ${d.storageReading}</p>`
        : html`<ul>
            <li>${d.storedSessions(storedData.sessions)}</li>
            <li>${d.storedModels(bytesText(storedData.models))}</li>
            ${
              storedData.used === null
                ? nothing
                : html`<li>
                    ${d.storedAll(bytesText(storedData.used.bytes), bytesText(storedData.used.quota))}
                  </li>`
            }
            ${storedData.isPersisted === null ? nothing : html`<li>${storedData.isPersisted ? d.persisted : d.notPersisted}</li>`}
          </ul>`
    }
    <button
      type="button"
      data-export-all
      ?disabled=${storedData?.sessions === 0}
      @click=${singleClick(() => void app.control.all.exportAll())}
    >
      ${icon('save')} ${d.exportAll}
    </button>
    <button type="button" class="danger" data-delete-all @click=${() => void app.deleteEverything()}>
      ${d.deletions.everything.action}
    </button>
  </section>`;
}

function options(texts: Readonly<Record<string, string>>, chosen: string): TemplateResult[] {
  return Object.entries(texts).map(
    ([value, text]) => html`<option value=${value} ?selected=${value === chosen}>${text}</option>`,
  );
}
