import { html, type TemplateResult } from 'lit';
import { isolated } from 'rolezero/element';
import type { App } from '../app.js';
import type { State } from '../state/app-state.js';
import { matches, type PaletteCommand } from './palette-commands.js';
import { dialogTexts } from '../text/dialogs.js';
import { icon } from './icons.js';

/** All commands in one list: a combobox with a list box, as its ARIA pattern requires. */
export function paletteView(state: State, app: App): TemplateResult {
  const d = dialogTexts(state);
  const { query, active } = state.palette;
  const { found, hidden } = matches(state, app);
  const at = Math.min(active, found.length - 1);
  return html`
    <div class="palette-field">
      ${icon('search')}
      <input
        type="text"
        role="combobox"
        autofocus
        aria-label=${d.paletteHint}
        aria-expanded=${found.length > 0 ? 'true' : 'false'}
        aria-controls="palette-list"
        aria-autocomplete="list"
        aria-activedescendant=${found.length > 0 ? `palette-${at}` : ''}
        placeholder=${d.paletteHint}
        autocomplete="off"
        spellcheck="false"
        .value=${query}
        @input=${(event: Event) =>
          app.store.update({ palette: { query: (event.target as HTMLInputElement).value, active: 0 } })}
        @keydown=${(event: KeyboardEvent) => press(event, app)}
      />
    </div>
    <ul id="palette-list" class="palette-list" role="listbox" aria-label=${d.palette}>
      ${found.map(
        (command, index) =>
          html`<li
            role="option"
            id="palette-${index}"
            data-command-id=${command.id}
            aria-selected=${index === at ? 'true' : 'false'}
            @click=${() => run(command, app)}
          >
            <span>${isolated(command.label)}</span><small>${command.group}</small>
          </li>`,
      )}
    </ul>
    <p class="hint" role="status">
      ${found.length === 0 ? d.noCommand : hidden > 0 ? d.moreCommands(hidden) : ''}
    </p>
  `;
}

/** Uses the current state: a user may press Enter before the list of the newest text is rendered. */
function press(event: KeyboardEvent, app: App): void {
  const { state } = app.store;
  const { palette } = state;
  const { found } = matches(state, app);
  const { length } = found;
  const at = Math.min(palette.active, length - 1);
  const next = {
    ArrowDown: (at + 1) % length,
    ArrowUp: (at - 1 + length) % length,
    PageDown: Math.min(at + 8, length - 1),
    PageUp: Math.max(at - 8, 0),
  }[event.key];
  const chosen = found[at];
  if (event.key === 'Enter' && !event.isComposing && chosen !== undefined) {
    event.preventDefault();
    run(chosen, app);
  } else if (next !== undefined && length > 0) {
    event.preventDefault();
    app.store.update({ palette: { ...palette, active: next } });
    requestAnimationFrame(() =>
      document.getElementById(`palette-${next}`)?.scrollIntoView({ block: 'nearest' }),
    );
  }
}

function run(command: PaletteCommand, app: App): void {
  app.closeDialog();
  command.run();
}
