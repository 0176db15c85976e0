import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { MemoryItem } from 'rolezero';
import type { App } from '../app.js';
import { isRecord } from '../state/is-record.js';
import type { State } from '../state/app-state.js';
import { nameOf } from '../state/session-names.js';
import { mayDelete, readOnlyReason } from '../state/read-only.js';
import { t } from '../text/index.js';
import { partTexts, type PartTexts } from '../text/parts.js';
import { commandText } from './command-text.js';
import { emptyView, iconButton } from './icons.js';
import { readOnlyHint } from './notice.js';
import { when } from './sessions.js';

/** Long-term memories of the agents: search, edit, pin and forget. */
export function memoryView(state: State, app: App): TemplateResult {
  const p = partTexts(state);
  const { query, items, editing, shared } = state.memories;
  const search = (event: Event): void => {
    const { value } = event.target as HTMLInputElement;
    app.store.update({ memories: { ...state.memories, query: value } });
    void app.control.guarded(() => app.control.memories.list(value));
  };
  return html`
    ${shared === null ? nothing : html`<p class="hint">${p.sharedNow}</p>`} ${readOnlyHint(state)}
    <input
      type="search"
      class="search"
      aria-label=${p.searchMemory}
      placeholder=${p.searchMemory}
      .value=${query}
      ?disabled=${state.session === null}
      @input=${search}
    />
    ${items.length === 0 ? emptyView('memory', query === '' ? p.noMemories : p.noFinds) : nothing}
    <ul class="memories">
      ${repeat(
        items,
        ({ id }) => id, // A row never changes to another memory under the pointer.
        (item) => (item.id === editing ? editor(item, state, app) : memory(item, state, app)),
      )}
    </ul>
    ${
      items.length === 0 || !mayDelete(state)
        ? nothing
        : html`<button
            type="button"
            class="quiet small"
            @click=${() =>
              void app.control.guarded(() =>
                app.control.memories.archive((name) => app.confirmDeletion({ what: 'archived', name })),
              )}
          >
            ${p.archive}
          </button>`
    }
    ${shared === null || readOnlyReason(state) !== null ? nothing : removal(shared, state, app)}
  `;
}

function removal(shared: string, state: State, app: App): TemplateResult {
  const remove = (event: Event): void =>
    void app.delete({ what: 'shared', name: null }, event.currentTarget as HTMLElement, async () => {
      await app.control.memories.removeShared(shared);
      await app.control.notes.list();
    });
  return html`<button type="button" class="quiet small" @click=${remove}>
    ${partTexts(state).removeShared}
  </button>`;
}

function memory(item: MemoryItem, state: State, app: App): TemplateResult {
  const p = partTexts(state);
  const { id, role, createdAt, message, pinned, shared } = item;
  const { untrusted } = message.metadata;
  return html`<li data-memory=${id} class=${pinned === true ? 'pinned' : ''}>
    ${contentView(message, p, app)}
    ${Array.isArray(untrusted) ? html`<p class="hint">${p.notRecalled(untrusted.map(String).join(', '))}</p>` : nothing}
    <div class="row">
      <small>
        ${message.causeBy === 'UserRequirement' ? t.you : message.sentFrom || role} · ${when(createdAt)}
        ${shared === undefined ? nothing : html` · ${p.sharedBy(nameOf(shared.session, state.labels))}`}
        ${pinned === true ? html` · <strong>${p.pinned}</strong>` : nothing}
        ${state.recalled.includes(id) ? html` · <strong class="recalled">${p.recalledNow}</strong>` : nothing}
      </small>
      ${mayDelete(state) ? memoryActions(item, state, app) : nothing}
    </div>
  </li>`;
}

function memoryActions(item: MemoryItem, state: State, app: App): TemplateResult {
  const p = partTexts(state);
  const { id, message, pinned } = item;
  const change = (work: () => Promise<unknown> | undefined): void =>
    void app.control.guarded(async () => {
      await work();
      await app.control.memories.list();
    });
  const edit = (): void => app.store.update({ memories: { ...state.memories, editing: id } });
  return html`${
    readOnlyReason(state) === null
      ? html`${iconButton('pen', p.edit, edit)}
        ${iconButton('pin', pinned === true ? p.unpin : p.pin, () =>
          change(() => app.control.session?.memory.change(id, { pinned: pinned !== true }, ownerOf(item))),
        )}`
      : nothing
  }
  ${iconButton(
    'trash',
    p.forget,
    (button) =>
      void app.delete({ what: 'memory', name: message.content }, button, async () => {
        await app.control.session?.memory.forget(id, ownerOf(item));
        await app.control.memories.list();
      }),
  )}`;
}

/** The role that has a memory; one of another session may not exist here. */
function ownerOf({ role, shared }: MemoryItem): { role?: string } {
  return shared === undefined ? { role } : {};
}

/** A step is shown as its thought and its commands, the results of commands are folded, everything else is unchanged. */
function contentView({ content, metadata }: MemoryItem['message'], p: PartTexts, app: App): TemplateResult {
  if (Array.isArray(metadata.results))
    return html`<details class="raw">
      <summary>${p.resultsOf(metadata.results.length)}</summary>
      <p class="content">${content}</p>
    </details>`;
  const { thought, commands } = metadata;
  // Not after the user has typed something else.
  const isStep = typeof thought === 'string' && Array.isArray(commands) && content.includes(thought);
  if (!isStep) return html`<p class="content">${content}</p>`;
  const names = commands.flatMap((command) =>
    isRecord(command) && typeof command['name'] === 'string' ? [command['name']] : [],
  );
  return html`${thought === '' ? nothing : html`<p class="content">${thought}</p>`}
  ${names.length === 0 ? nothing : html`<p class="names">${names.map((name) => commandText(name, true, app) ?? name).join(' · ')}</p>`}`;
}

function editor(item: MemoryItem, state: State, app: App): TemplateResult {
  const p = partTexts(state);
  const { id, message } = item;
  const done = (): void => app.store.update({ memories: { ...app.store.state.memories, editing: null } });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement).get('content');
    const content = typeof data === 'string' ? data.trim() : '';
    void app.control.guarded(async () => {
      if (content !== '') await app.control.session?.memory.change(id, { content }, ownerOf(item));
      done();
      await app.control.memories.list();
    });
  };
  return html`<li data-memory=${id}>
    <form @submit=${submit}>
      <textarea name="content" rows="4" aria-label=${p.editMemory} .value=${message.content}></textarea>
      <div class="buttons">
        <button type="submit" class="small">${p.save}</button>
        <button type="button" class="quiet small" @click=${done}>${p.cancel}</button>
      </div>
    </form>
  </li>`;
}
