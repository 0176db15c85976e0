import { html, type TemplateResult } from 'lit';
import { icon } from './icons.js';
import type { ChatWords } from './words.js';

/** A button with a sign. `label`: for screen readers, and beside the pointer. */
export function smallButton(
  part: string,
  label: string,
  sign: TemplateResult | string,
  act: (event: MouseEvent) => void,
  isDisabled = false,
): TemplateResult {
  return html`<button
    type="button"
    class="small"
    part=${part}
    aria-label=${label}
    title=${label}
    ?disabled=${isDisabled}
    @click=${act}
  >
    ${sign}
  </button>`;
}

/** A button that copies a text, and shows that it did. */
export function copyView(text: string, words: ChatWords): TemplateResult {
  return smallButton(
    'copy',
    words.copy,
    icon('copy'),
    (event) => void copyText(text, event.currentTarget as HTMLElement, words),
  );
}

async function copyText(text: string, element: HTMLElement, words: ChatWords): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    return; // The page may not write to the clipboard; the text can be selected.
  }
  element.setAttribute('aria-label', words.copied);
  element.title = words.copied;
  element.classList.add('done');
  setTimeout(() => {
    element.setAttribute('aria-label', words.copy);
    element.title = words.copy;
    element.classList.remove('done');
  }, 2_000);
}
