import { html, svg, type SVGTemplateResult, type TemplateResult } from 'lit';

const PATHS = {
  check: svg`<path d="M5 12.5l4.5 4.5L19 7.5" />`,
  cross: svg`<path d="M6.5 6.5l11 11M17.5 6.5l-11 11" />`,
  dot: svg`<circle cx="12" cy="12" r="3.5" />`,
  plus: svg`<path d="M12 5v14M5 12h14" />`,
  stop: svg`<rect x="7" y="7" width="10" height="10" rx="1.5" fill="currentColor" />`,
  send: svg`<path d="M12 19V5M6 11l6-6 6 6" />`,
  play: svg`<path d="M8 5.5v13l11-6.5z" fill="currentColor" />`,
  file: svg`<path d="M7 3.5h7l4 4v13H7z M14 3.5v4h4" />`,
  folder: svg`<path d="M4 6.5h5.5l2 2.5H20v10H4z" />`,
  chat: svg`<path d="M4.5 5.5h15v10.5h-8l-4 3.5v-3.5h-3z" />`,
  list: svg`<path d="M9 7h11M9 12h11M9 17h11M4.5 7h.01M4.5 12h.01M4.5 17h.01" />`,
  sliders: svg`<path d="M4 8h9M17 8h3M4 16h3M11 16h9" /><circle cx="15" cy="8" r="2" /><circle cx="9" cy="16" r="2" />`,
  trash: svg`<path d="M5 7h14M10 7V4.5h4V7M7 7l1 13h8l1-13" />`,
  save: svg`<path d="M12 4v11M7 10.5l5 5 5-5M5 20h14" />`,
  warn: svg`<path d="M12 4.5l8.5 15h-17zM12 10v4.5M12 17h.01" />`,
  film: svg`<rect x="3.5" y="5" width="17" height="14" rx="2" /><path d="M8 5v14M16 5v14M3.5 9.5H8M3.5 14.5H8M16 9.5h4.5M16 14.5h4.5" />`,
} satisfies Record<string, SVGTemplateResult>;

export type IconName = keyof typeof PATHS;

/** A small drawing beside a text that says the same: hidden from screen readers. */
export function icon(name: IconName): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${PATHS[name]}</svg>`;
}
