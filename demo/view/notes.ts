import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Note } from 'rolezero';
import type { App } from '../app.js';
import type { State } from '../state/app-state.js';
import { t } from '../text/index.js';
import { emptyView, iconButton } from './icons.js';
import { when } from './sessions.js';

const KINDS: readonly Note['kind'][] = ['instruction', 'decision', 'fact', 'summary'];

/** The standing notes of the agents by kind: add, edit, vouch and delete. */
export function notesView(state: State, app: App): TemplateResult {
  const { on, items } = state.notes;
  if (!on) return consent(state, app);
  return html`
    ${state.memories.shared === null ? nothing : html`<p class="hint">${t.sharedNow}</p>`}
    ${state.viewing ? nothing : addForm(app)} ${items.length === 0 ? emptyView('pen', t.noNotes) : nothing}
    ${KINDS.map((kind) => group(kind, state, app))}
  `;
}

/** The user's consent: opens the session again, with notes. */
function consent({ session, runningSince, viewing }: State, app: App): TemplateResult {
  const turnOn = async (): Promise<void> => {
    await app.prefer({ notes: true });
    if (session !== null) await app.control.open(session);
    await app.control.notes.list();
  };
  return html`${emptyView('pen', t.notesOff)}
    <button
      type="button"
      class="quiet framed below-empty"
      ?disabled=${session === null || runningSince !== null || viewing}
      @click=${() => void turnOn()}
    >
      ${t.turnOnNotes}
    </button>`;
}

function group(kind: Note['kind'], state: State, app: App): TemplateResult | typeof nothing {
  const { items, editing } = state.notes;
  const notes = items.filter((note) => note.kind === kind);
  if (notes.length === 0) return nothing;
  return html`<section class="notes" aria-labelledby="notes-${kind}">
    <h3 id="notes-${kind}">${t.noteKinds[kind]}</h3>
    <ul class="memories">
      ${repeat(
        notes,
        ({ id }) => id, // A row never changes to another note under the pointer.
        (note) => (note.id === editing ? editor(note, app) : row(note, state, app)),
      )}
    </ul>
  </section>`;
}

function row(note: Note, state: State, app: App): TemplateResult {
  const { id, text, role, createdAt, by, untrusted, earlier } = note;
  const about = { description: `note-${id}` };
  const { control } = app;
  const remove = (button: HTMLElement): void =>
    void app.delete({ what: 'note', name: text }, button, () => control.notes.remove(id));
  return html`<li data-note=${id} class=${untrusted === undefined ? '' : 'unused'}>
    <p class="content" id="note-${id}">${text}</p>
    ${untrusted === undefined ? nothing : html`<p class="hint">${t.notUsed(untrusted.join(', '))}</p>`}
    ${earlier.length === 0 ? nothing : versions(note)}
    <div class="row">
      <small>${by === 'user' ? t.you : role} · ${when(createdAt)}</small>
      ${
        state.viewing
          ? nothing
          : html`${untrusted === undefined ? nothing : iconButton('check', t.vouch, () => void control.notes.vouch(id), about)}
            ${iconButton('pen', t.edit, () => control.notes.open(id), about)}
            ${iconButton('trash', t.removeNote, remove, about)}`
      }
    </div>
  </li>`;
}

function versions({ earlier }: Note): TemplateResult {
  return html`<details>
    <summary>${t.earlierVersions(earlier.length)}</summary>
    <ol>
      ${earlier.map(({ text, createdAt }) => html`<li>${text} <small>${when(createdAt)}</small></li>`)}
    </ol>
  </details>`;
}

function editor({ id, kind, text }: Note, { control }: App): TemplateResult {
  const submit = (event: SubmitEvent): void => {
    const written = valuesOf(event);
    if (written.text === '') control.notes.open(null);
    else void control.notes.edit(id, written.kind, written.text);
  };
  const leave = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') control.notes.open(null);
  };
  return html`<li data-note=${id}>
    <form @submit=${submit} @keydown=${leave}>
      ${fields(kind, text)}
      <div class="buttons">
        <button type="submit" class="small">${t.save}</button>
        <button type="button" class="quiet small" @click=${() => control.notes.open(null)}>
          ${t.cancel}
        </button>
      </div>
    </form>
  </li>`;
}

function addForm({ control }: App): TemplateResult {
  const submit = (event: SubmitEvent): void => {
    const { kind, text } = valuesOf(event);
    const form = event.currentTarget as HTMLFormElement;
    if (text !== '') void control.notes.add(kind, text).then(() => form.reset());
  };
  return html`<details class="add-note">
    <summary>${t.newNote}</summary>
    <form class="memories" @submit=${submit}>
      ${fields('fact', '')}
      <div class="buttons"><button type="submit" class="small">${t.addNote}</button></div>
    </form>
  </details>`;
}

function fields(chosen: Note['kind'], text: string): TemplateResult {
  return html`<select name="kind" aria-label=${t.noteKind}>
      ${KINDS.map(
        (kind) => html`<option value=${kind} ?selected=${kind === chosen}>${t.noteKinds[kind]}</option>`,
      )}
    </select>
    <textarea name="text" rows="3" maxlength="500" aria-label=${t.noteText} .value=${text}></textarea>`;
}

function valuesOf(event: SubmitEvent): { kind: Note['kind']; text: string } {
  event.preventDefault();
  const data = new FormData(event.currentTarget as HTMLFormElement);
  const [kind, text] = [data.get('kind'), data.get('text')];
  return {
    kind: KINDS.find((known) => known === kind) ?? 'fact',
    text: typeof text === 'string' ? text.trim() : '',
  };
}
