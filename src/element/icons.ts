import { html, svg, type SVGTemplateResult, type TemplateResult } from 'lit';

const PATHS = {
  check: svg`<path d="M5 12.5l4.5 4.5L19 7.5" />`,
  clock: svg`<circle cx="12" cy="12" r="8" /><path d="M12 7.5V12l3 2" />`,
  copy: svg`<path d="M9 9h10v10H9zM5 15V5h10" />`,
  cross: svg`<path d="M6.5 6.5l11 11M17.5 6.5l-11 11" />`,
  dot: svg`<circle cx="12" cy="12" r="3.5" />`,
  down: svg`<path d="M6.5 9.5L12 15l5.5-5.5" />`,
  edit: svg`<path d="M5 19l1-4L16 5l3 3L9 18z" />`,
  memory: svg`<path d="M6 4.5h12v15l-6-4-6 4z" />`,
  redo: svg`<path d="M15 5l4 4-4 4M19 9h-8a5 5 0 0 0 0 10h4" />`,
  repeat: svg`<path d="M18.5 12a6.5 6.5 0 1 1-2-4.7M17 4v4h-4" />`,
  right: svg`<path d="M9.5 6.5L15 12l-5.5 5.5" />`,
  search: svg`<circle cx="11" cy="11" r="5.5" /><path d="M15.5 15.5L20 20" />`,
  undo: svg`<path d="M9 5L5 9l4 4M5 9h8a5 5 0 0 1 0 10H9" />`,
  up: svg`<path d="M6.5 14.5L12 9l5.5 5.5" />`,
  warn: svg`<path d="M12 4.5l8.5 15h-17zM12 10v4.5M12 17h.01" />`,
} satisfies Record<string, SVGTemplateResult>;

/** A small icon next to a text with the same meaning: hidden from screen readers. */
export function icon(name: keyof typeof PATHS): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${PATHS[name]}</svg>`;
}
