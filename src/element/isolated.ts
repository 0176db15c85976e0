import { html, type TemplateResult } from 'lit';

// cspell:ignore efff
/** Runs of letters that are written from right to left, with the blanks between them. */
const RIGHT_TO_LEFT =
  /((?:[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]+ *)+(?<! ))/u;

/**
 * Returns a text whose right-to-left words cannot move what is around them. Otherwise the browser would show `/א/1` as `1/א/`, so a path in
 * a request for approval could look like another one.
 */
export function isolated(text: string): (string | TemplateResult)[] {
  return text.split(RIGHT_TO_LEFT).map((part, index) => (index % 2 === 0 ? part : html`<bdi>${part}</bdi>`));
}
