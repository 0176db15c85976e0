import { html, type TemplateResult } from 'lit';

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
