import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Note } from 'rolezero';
import type { App } from '../app.js';
import type { State } from '../state/app-state.js';
import { readOnlyReason } from '../state/read-only.js';
import { t } from '../text/index.js';
import { partTexts, type PartTexts } from '../text/parts.js';
import { emptyView, iconButton } from './icons.js';
import { readOnlyHint } from './notice.js';
import { when } from './sessions.js';

const KINDS: readonly Note['kind'][] = ['instruction', 'decision', 'fact', 'summary'];

/** The standing notes of the agents by kind: add, edit, vouch and delete. */
export function notesView(state: State, app: App): TemplateResult {
  const { on, items } = state.notes;
  if (!on) return consent(state, app);
  const p = partTexts(state);
  return html`
    ${state.memories.shared === null ? nothing : html`<p class="hint">${p.sharedNow}</p>`}
    ${readOnlyReason(state) === null ? addForm(p, app) : readOnlyHint(state)}
    ${items.length === 0 ? emptyView('pen', p.noNotes) : nothing}
    ${KINDS.map((kind) => group(kind, state, app))}
  `;
}

/** The user's consent: opens the session again, with notes. */
function consent(state: State, app: App): TemplateResult {
  const p = partTexts(state);
  const { session, runningSince } = state;
  const turnOn = async (): Promise<void> => {
    await app.prefer({ notes: true });
    if (session !== null) await app.control.open(session);
    await app.control.notes.list();
  };
  return html`${emptyView('pen', p.notesOff)}
    <button
      type="button"
      class="quiet framed below-empty"
      ?disabled=${session === null || runningSince !== null || readOnlyReason(state) !== null}
      title=${readOnlyReason(state) ?? nothing}
      @click=${() => void turnOn()}
    >
      ${p.turnOnNotes}
    </button>`;
}

function group(kind: Note['kind'], state: State, app: App): TemplateResult | typeof nothing {
  const { items, editing } = state.notes;
  const notes = items.filter((note) => note.kind === kind);
  if (notes.length === 0) return nothing;
  return html`<section class="notes" aria-labelledby="notes-${kind}">
    <h3 id="notes-${kind}">${partTexts(state).noteKinds[kind]}</h3>
    <ul class="memories">
      ${repeat(
        notes,
        ({ id }) => id, // A row never changes to another note under the pointer.
        (note) => (note.id === editing ? editor(note, state, app) : row(note, state, app)),
      )}
    </ul>
  </section>`;
}

function row(note: Note, state: State, app: App): TemplateResult {
  const p = partTexts(state);
  const { id, text, role, createdAt, by, untrusted, earlier } = note;
  const about = { description: `note-${id}` };
  const { control } = app;
  const remove = (button: HTMLElement): void =>
    void app.delete({ what: 'note', name: text }, button, () => control.notes.remove(id));
  return html`<li data-note=${id} class=${untrusted === undefined ? '' : 'unused'}>
    <p class="content" id="note-${id}">${text}</p>
    ${untrusted === undefined ? nothing : html`<p class="hint">${p.notUsed(untrusted.join(', '))}</p>`}
    ${earlier.length === 0 ? nothing : versions(note, p)}
    <div class="row">
      <small>${by === 'user' ? t.you : role} · ${when(createdAt)}</small>
      ${
        readOnlyReason(state) !== null
          ? nothing
          : html`${untrusted === undefined ? nothing : iconButton('check', p.vouch, () => void control.notes.vouch(id), about)}
            ${iconButton('pen', p.edit, () => control.notes.open(id), about)}
            ${iconButton('trash', p.removeNote, remove, about)}`
      }
    </div>
  </li>`;
}

function versions({ earlier }: Note, p: PartTexts): TemplateResult {
  return html`<details>
    <summary>${p.earlierVersions(earlier.length)}</summary>
    <ol>
      ${earlier.map(({ text, createdAt }) => html`<li>${text} <small>${when(createdAt)}</small></li>`)}
    </ol>
  </details>`;
}

function editor({ id, kind, text }: Note, state: State, { control }: App): TemplateResult {
  const p = partTexts(state);
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
      ${fields(kind, text, p)}
      <div class="buttons">
        <button type="submit" class="small">${p.save}</button>
        <button type="button" class="quiet small" @click=${() => control.notes.open(null)}>
          ${p.cancel}
        </button>
      </div>
    </form>
  </li>`;
}

function addForm(p: PartTexts, { control }: App): TemplateResult {
  const submit = (event: SubmitEvent): void => {
    const { kind, text } = valuesOf(event);
    const form = event.currentTarget as HTMLFormElement;
    if (text !== '') void control.notes.add(kind, text).then(() => form.reset());
  };
  return html`<details class="add-note">
    <summary>${p.newNote}</summary>
    <form class="memories" @submit=${submit}>
      ${fields('fact', '', p)}
      <div class="buttons"><button type="submit" class="small">${p.addNote}</button></div>
    </form>
  </details>`;
}

function fields(chosen: Note['kind'], text: string, p: PartTexts): TemplateResult {
  return html`<select name="kind" aria-label=${p.noteKind}>
      ${KINDS.map(
        (kind) => html`<option value=${kind} ?selected=${kind === chosen}>${p.noteKinds[kind]}</option>`,
      )}
    </select>
    <textarea name="text" rows="3" maxlength="500" aria-label=${p.noteText} .value=${text}></textarea>`;
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
