import { html, nothing, type TemplateResult } from 'lit';
import { isolated } from 'rolezero/element';
import type { App } from '../app.js';
import { shownFile, type OpenFile, type State } from '../state/app-state.js';
import { isPicture } from '../state/main-page.js';
import { mayDelete, readOnlyReason } from '../state/read-only.js';
import { runCommand } from '../state/run-command.js';
import { t } from '../text/index.js';
import { fileTabsView } from './file-tabs.js';
import { emptyView, icon, iconButton } from './icons.js';
import { focusFirst } from './places-around.js';
import { readOnlyHint } from './notice.js';

/** The session's files, and one of them in an editor with its last change. */
export function filesView(state: State, app: App): TemplateResult {
  const { files, changed } = state;
  const shown = shownFile(state);
  if (state.session === null) return emptyView('file', t.noFiles);
  return html`
    <div class="bar">
      <ul class="tree" aria-label=${t.panes.files}>
        ${files.map(({ path, type, size }) => {
          const parts = path.split('/');
          const mark = changed.get(path);
          const indent = `padding-left: ${0.55 + (parts.length - 2) * 1.1}rem`;
          if (type === 'directory')
            return html`<li class="directory" style=${indent}>
              ${icon('folder')} <bdi>${parts.at(-1)}</bdi>
            </li>`;
          return html`<li>
            <button
              type="button"
              style=${indent}
              data-file=${path}
              aria-current=${shown?.path === path ? 'true' : 'false'}
              @click=${() => void app.control.files.show(path)}
            >
              ${icon('file')} <bdi class="name">${parts.at(-1)}</bdi>
              ${mark === undefined ? nothing : html`<span class="badge ${mark}">${t.fileStates[mark]}</span>`}
              <span class="size">${bytes(size)}</span>
            </button>
          </li>`;
        })}
      </ul>
    </div>
    ${readOnlyReason(state) === null ? html`${newFile(app)} ${deletedView(state, app)}` : readOnlyHint(state)}
    ${files.length === 0 && shown === null ? emptyView('file', t.noFiles) : nothing}
    ${shown === null ? nothing : viewer(shown, state, app)}
  `;
}

function newFile(app: App): TemplateResult {
  return html`<form
    class="new-file"
    @submit=${(event: SubmitEvent) => {
      event.preventDefault();
      const field = (event.currentTarget as HTMLFormElement).elements.namedItem('path') as HTMLInputElement;
      const path = field.value.trim();
      if (path === '') return;
      field.value = '';
      void app.control.files.create(path);
    }}
  >
    <input
      name="path"
      aria-label=${t.newFileName}
      placeholder=${t.newFileName}
      autocomplete="off"
      spellcheck="false"
    />
    <button type="submit" class="quiet framed small">${icon('plus')} ${t.newFile}</button>
  </form>`;
}

/** The file that the user has deleted last can be restored. */
function deletedView({ deletedFile }: State, app: App): TemplateResult | typeof nothing {
  if (deletedFile === null) return nothing;
  return html`<div class="deleted-file">
    <span>${t.fileDeleted} ${isolated(deletedFile.path)}</span>
    <button
      type="button"
      class="quiet framed small"
      @click=${() => void app.control.files.restore().then(focusTree)}
    >
      ${icon('undo')} ${t.undo}
    </button>
    ${iconButton('cross', t.close, () => {
      app.store.update({ deletedFile: null });
      focusTree();
    })}
  </div>`;
}

function viewer(file: OpenFile, state: State, app: App): TemplateResult {
  const { control, editor } = app;
  const check = (set: (on: boolean) => void) => (event: Event) => {
    set((event.target as HTMLInputElement).checked);
    app.store.update({});
  };
  return html`<div class="viewer">
    ${fileTabsView(state, app)}
    <div class="bar">
      <code class="path">${isolated(file.path)}</code>
      <label title=${t.followHint}
        ><input
          type="checkbox"
          .checked=${state.follow}
          @change=${check((on) => control.files.setFollow(on))}
        />
        ${t.follow}</label
      >
      <label title=${t.changesHint}
        ><input type="checkbox" .checked=${editor.marks} @change=${check((on) => (editor.marks = on))} />
        ${t.changes}</label
      >
      ${file.isGrowing === true ? nothing : fileActions(file.path, state, app)}
    </div>
    <div class="editor"></div>
  </div>`;
}

/** Actions on a stored file. */
function fileActions(path: string, state: State, app: App): TemplateResult {
  const { control, editor, shell } = app;
  const isProgram = runCommand(path) !== null && readOnlyReason(state) === null;
  return html`
    ${
      isProgram
        ? iconButton('play', t.runFile, () => void app.runFile(path), { disabled: shell.isRunning })
        : nothing
    }
    ${
      /\.html?$/i.test(path) || isPicture(path)
        ? iconButton('eye', t.openPage, () => {
            editor.flush();
            void control.files.preview(path);
          })
        : nothing
    }
    ${iconButton('save', t.saveFile, () => {
      editor.flush();
      void control.files.save(path);
    })}
    ${
      mayDelete(state)
        ? iconButton('trash', t.removeFile, () => {
            void control.files.remove(path).then(focusUndo);
          })
        : nothing
    }
  `;
}

/** The button that deleted the file may be gone, or concern another file. */
function focusUndo(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('.deleted-file button')?.focus());
}

/** The notice with the focused button is gone: the focus goes to the file in the editor, or to the field for a new one. */
function focusTree(): void {
  requestAnimationFrame(() => {
    const places = ['.tree [aria-current="true"]', '.tree button', '.new-file input'];
    focusFirst(places.flatMap((place) => [...document.querySelectorAll<HTMLElement>(place)]));
  });
}

function bytes(size: number): string {
  if (size < 1_024) return `${size} B`;
  return size < 1_048_576 ? `${(size / 1_024).toFixed(1)} kB` : `${(size / 1_048_576).toFixed(1)} MB`;
}
