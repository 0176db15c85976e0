import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import { icon } from './icons.js';
import { smallButton } from './small-button.js';
import type { ChatWords } from './words.js';

/** What the field for requests shows. */
export interface ComposerState {
  words: ChatWords;
  /** What the agent does, or that the session is being opened. */
  status: string;
  /** Files for the next request. */
  files: readonly File[];
  isRunning: boolean;
  /** There is something to search. */
  hasEntries: boolean;
  /** The session could not be opened. */
  isDisabled: boolean;
}

/** What the user does with it. */
export interface ComposerActions {
  send: () => void;
  /** The user writes. */
  write: () => void;
  stop: () => void;
  search: () => void;
  add: (files: readonly File[]) => void;
  remove: (file: File) => void;
}

/** The field for the next request, with files that are dropped on it, pasted, or chosen. */
export function composerView(state: ComposerState, actions: ComposerActions): TemplateResult {
  const { words, status, files, isRunning, hasEntries, isDisabled } = state;
  return html`<form
    class="composer"
    part="composer"
    @submit=${(event: Event) => {
      event.preventDefault();
      actions.send();
    }}
    @drop=${(event: DragEvent) => {
      event.preventDefault();
      actions.add([...(event.dataTransfer?.files ?? [])]);
    }}
    @dragover=${allowDrop}
  >
    <span class="status" part="status" role="status">${status}</span>
    ${files.length === 0 ? nothing : chosenView(files, words, actions)}
    <div class="row">
      <textarea
        name="request"
        part="field"
        rows="1"
        aria-label=${words.request}
        placeholder=${words.placeholder}
        @input=${actions.write}
        @keydown=${(event: KeyboardEvent) => {
          if (!sends(event)) return;
          event.preventDefault();
          actions.send();
        }}
        @paste=${(event: ClipboardEvent) => {
          const pasted = [...(event.clipboardData?.files ?? [])];
          if (pasted.length === 0) return;
          event.preventDefault();
          actions.add(pasted);
        }}
      ></textarea>
      <input
        class="sr"
        type="file"
        multiple
        tabindex="-1"
        aria-hidden="true"
        @change=${(event: Event) => {
          const field = event.currentTarget as HTMLInputElement;
          actions.add([...(field.files ?? [])]);
          field.value = '';
        }}
      />
      <button
        type="button"
        part="attach"
        aria-label=${words.attach}
        title=${words.attach}
        @click=${(event: Event) => {
          const button = event.currentTarget as HTMLElement;
          button.parentElement?.querySelector<HTMLInputElement>('[type="file"]')?.click();
        }}
      >
        <span aria-hidden="true">+</span>
      </button>
      ${hasEntries ? smallButton('open-search', words.search, icon('search'), actions.search) : nothing}
      <slot name="composer-end"></slot>
      ${isRunning ? html`<button type="button" part="stop" @click=${actions.stop}>${words.stop}</button>` : nothing}
      <button type="submit" class="main" part="send" ?disabled=${isDisabled}>${words.send}</button>
    </div>
  </form>`;
}

function chosenView(
  files: readonly File[],
  words: ChatWords,
  { remove }: Pick<ComposerActions, 'remove'>,
): TemplateResult {
  return html`<div class="row">
    ${files.map(
      (file) =>
        html`<button type="button" aria-label=${words.remove(file.name)} @click=${() => remove(file)}>
          ${file.type.startsWith('image/') ? html`<img class="thumbnail" alt="" ${ref(previewOf(file))} />` : nothing}
          <bdi>${file.name}</bdi> <span aria-hidden="true">✕</span>
        </button>`,
    )}
  </div>`;
}

/** Shows a file in an image while that is part of the page. */
function previewOf(file: File): (image: Element | undefined) => void {
  const known = previews.get(file);
  if (known !== undefined) return known;
  let url: string | null = null;
  const show = (image: Element | undefined): void => {
    if (url !== null) URL.revokeObjectURL(url);
    url = image === undefined ? null : URL.createObjectURL(file);
    if (url !== null) image?.setAttribute('src', url);
  };
  previews.set(file, show);
  return show;
}

/** The same function for a file each time: another one would show it again. */
const previews = new WeakMap<File, (image: Element | undefined) => void>();

/** Enter sends, except on touch keyboards, which have no Shift key, and while an input method composes a word. */
function sends({ key, shiftKey, ctrlKey, metaKey, isComposing }: KeyboardEvent): boolean {
  if (key !== 'Enter' || shiftKey || isComposing) return false;
  return ctrlKey || metaKey || !matchMedia('(pointer: coarse)').matches;
}

function allowDrop(event: DragEvent): void {
  if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault();
}
