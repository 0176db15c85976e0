import type { TemplateResult } from 'lit';
import { icon } from './icons.js';
import { smallButton } from './small-button.js';
import type { ChatWords } from './words.js';

/** A button that copies a text, and shows that it did. */
export function copyView(text: string, words: ChatWords): TemplateResult {
  return smallButton(
    'copy',
    words.copy,
    icon('copy'),
    (event) => void copy(text, event.currentTarget as HTMLElement, words),
  );
}

async function copy(text: string, element: HTMLElement, words: ChatWords): Promise<void> {
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
