import { html, type TemplateResult } from 'lit';
import type { ChatWords } from './words.js';

/** A request in a field. `hint` says what the change does, `label` names the button that makes it. */
export function editView(
  text: string,
  { words, hint, label }: { words: ChatWords; hint: string; label: string },
  { edit, change }: { edit: (isEdited: boolean) => void; change: (text: string) => void },
): TemplateResult {
  const send = (form: HTMLElement | null | undefined): void => {
    const changed = form?.querySelector('textarea')?.value.trim() ?? '';
    if (changed !== '') change(changed);
  };
  return html`<form
    class="request edited"
    part="edited"
    @submit=${(event: Event) => {
      event.preventDefault();
      send(event.currentTarget as HTMLElement);
    }}
    @keydown=${(event: KeyboardEvent) => {
      const form = event.currentTarget as HTMLElement;
      if (event.key === 'Escape') edit(false);
      else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send(form);
      else return;
      event.preventDefault();
    }}
  >
    <textarea name="changed" part="edited-field" rows="3" aria-label=${words.edit} .value=${text}></textarea>
    <p class="aside">${hint}</p>
    <div class="row">
      <button type="button" part="cancel" @click=${() => edit(false)}>${words.cancel}</button>
      <button type="submit" class="main" part="change">${label}</button>
    </div>
  </form>`;
}
