import { html, nothing, type TemplateResult } from 'lit';
import type { Stored } from './inspected-session.js';
import { bytesText } from './numbers.js';
import type { InspectorWords } from './words.js';

/** What is stored for the session, and of the whole site. */
export function storageView(
  stored: Stored | null,
  words: InspectorWords,
  exportAll: () => void,
): TemplateResult {
  if (stored === null) return html`<p class="part facts">${words.opening}</p>`;
  const { files, space, isPersisted } = stored;
  const { storage, history, memories } = space;
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return html`<div class="part">
    <ul part="storage">
      <li>${words.files(files.length, bytesText(bytes))}</li>
      <li>${words.history(history.entries, bytesText(history.bytes))}</li>
      <li>${words.memories(memories.count, memories.pinned)}</li>
      ${storage === null ? nothing : html`<li>${words.used(bytesText(storage.usage), bytesText(storage.quota))}</li>`}
      ${isPersisted === null ? nothing : html`<li>${isPersisted ? words.persisted : words.notPersisted}</li>`}
    </ul>
    <button type="button" part="export" @click=${exportAll}>${words.export}</button>
  </div>`;
}
