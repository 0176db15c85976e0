import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { isolated } from 'rolezero/element';
import type { App } from '../app.js';
import { shownFile, type State } from '../state/app-state.js';
import { besideTab, tabName, type FileTab } from '../state/file-tabs.js';
import { t } from '../text/index.js';
import { reachedBy } from './arrow-keys.js';
import { icon } from './icons.js';

/**
 * Recently opened and changed files. The row is a toolbar: ARIA tabs may contain no button, so they could be closed by
 * mouse and Delete key only.
 */
export function fileTabsView(state: State, app: App): TemplateResult {
  const shown = shownFile(state)?.path ?? null;
  const isStored = state.fileTabs.some(({ path }) => path === shown);
  const tabs =
    shown === null || isStored ? state.fileTabs : [...state.fileTabs, { path: shown, isUnseen: false }];
  return html`<div class="file-tabs" role="toolbar" aria-label=${t.openFiles} @keydown=${move}>
    ${repeat(
      tabs,
      ({ path }) => path,
      (tab) => tabView(tab, { tabs, shown, isStored: isStored || tab.path !== shown, app }),
    )}
  </div>`;
}

interface TabContext {
  tabs: readonly FileTab[];
  /** The path of the file in the editor. */
  shown: string | null;
  /** False for a file that exists only in the reply of the model so far. */
  isStored: boolean;
  app: App;
}

function tabView({ path, isUnseen }: FileTab, { tabs, shown, isStored, app }: TabContext): TemplateResult {
  const isShown = path === shown;
  const isFirst = shown === null && tabs[0]?.path === path;
  const close = (): void => void app.control.files.close(path);
  return html`<span
    class="file-tab ${isShown ? 'current' : ''}"
    @mousedown=${(event: MouseEvent) => {
      if (event.button === 1) event.preventDefault(); // Browsers would begin to scroll.
    }}
    @auxclick=${(event: MouseEvent) => {
      if (event.button === 1 && isStored) close();
    }}
  >
    <button
      type="button"
      class="open"
      title=${path}
      data-file-tab=${path}
      aria-current=${isShown ? 'true' : 'false'}
      tabindex=${isShown || isFirst ? '0' : '-1'}
      @click=${() => void app.control.files.show(path)}
      @keydown=${(event: KeyboardEvent) => {
        if (event.key !== 'Delete' || !isStored) return;
        close();
        focusLater(besideTab(tabs, path));
      }}
    >
      ${isolated(tabName(tabs, path))}${
        isUnseen
          ? html`<span class="dot" aria-hidden="true"></span
              ><span class="sr">(${t.fileStates.changed})</span>`
          : nothing
      }
    </button>
    ${
      isStored
        ? html`<button type="button" class="close" tabindex="-1" title=${t.close} @click=${close}>
            ${icon('cross')}<span class="sr">${t.closeFile(path)}</span>
          </button>`
        : html`<span class="spinner"></span>`
    }
  </span>`;
}

/** Arrow keys move between the buttons of a toolbar, as the ARIA pattern requires. */
function move(event: KeyboardEvent): void {
  const buttons = [...(event.currentTarget as HTMLElement).querySelectorAll('button')];
  const at = buttons.findIndex((button) => button === document.activeElement);
  const next = reachedBy(event.key, buttons, at);
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

/** Focuses a tab when the page has been rendered without the closed one. */
function focusLater(path: string | null): void {
  if (path === null) return;
  requestAnimationFrame(() =>
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[data-file-tab="${CSS.escape(path)}"]`)?.focus(),
    ),
  );
}
