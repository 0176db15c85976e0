import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import { singleClick } from './single-click.js';

const PATHS = {
  check: svg`<path d="M5 12.5l4.5 4.5L19 7.5" />`,
  cross: svg`<path d="M6.5 6.5l11 11M17.5 6.5l-11 11" />`,
  dot: svg`<circle cx="12" cy="12" r="3.5" />`,
  plus: svg`<path d="M12 5v14M5 12h14" />`,
  stop: svg`<rect x="7" y="7" width="10" height="10" rx="1.5" fill="currentColor" />`,
  send: svg`<path d="M12 19V5M6 11l6-6 6 6" />`,
  pause: svg`<path d="M8.5 6v12M15.5 6v12" />`,
  back: svg`<path d="M14.5 6l-6 6 6 6" />`,
  forward: svg`<path d="M9.5 6l6 6-6 6" />`,
  play: svg`<path d="M8 5.5v13l11-6.5z" fill="currentColor" />`,
  file: svg`<path d="M7 3.5h7l4 4v13H7z M14 3.5v4h4" />`,
  folder: svg`<path d="M4 6.5h5.5l2 2.5H20v10H4z" />`,
  chat: svg`<path d="M4.5 5.5h15v10.5h-8l-4 3.5v-3.5h-3z" />`,
  list: svg`<path d="M9 7h11M9 12h11M9 17h11M4.5 7h.01M4.5 12h.01M4.5 17h.01" />`,
  columns: svg`<rect x="3.5" y="5" width="17" height="14" rx="2" /><path d="M13 5v14" />`,
  sliders: svg`<path d="M4 8h9M17 8h3M4 16h3M11 16h9" /><circle cx="15" cy="8" r="2" /><circle cx="9" cy="16" r="2" />`,
  trash: svg`<path d="M5 7h14M10 7V4.5h4V7M7 7l1 13h8l1-13" />`,
  save: svg`<path d="M12 4v11M7 10.5l5 5 5-5M5 20h14" />`,
  warn: svg`<path d="M12 4.5l8.5 15h-17zM12 10v4.5M12 17h.01" />`,
  sparkle: svg`<path d="M12 4l1.7 5.3L19 11l-5.3 1.7L12 18l-1.7-5.3L5 11l5.3-1.7zM19 16.5v4M17 18.5h4" />`,
  eye: svg`<path d="M3 12s3.5-6 9-6 9 6 9 6-3.5 6-9 6-9-6-9-6z" /><circle cx="12" cy="12" r="2.5" />`,
  terminal: svg`<rect x="3.5" y="5" width="17" height="14" rx="2" /><path d="M7.5 10l2.5 2.2-2.5 2.2M12.5 15h4" />`,
  memory: svg`<path d="M6 4.5h12v15l-6-4-6 4z" />`,
  people: svg`<circle cx="9" cy="9" r="3" /><path d="M3.5 19c.6-3 2.700-4.500 5.500-4.500s4.900 1.500 5.500 4.500M15.500 6.500a3 3 0 0 1 0 5.600M17 14.800c1.900.6 3.100 2 3.500 4.200" />`,
  clock: svg`<circle cx="12" cy="12" r="8" /><path d="M12 7.500V12l3 2" />`,
  phone: svg`<rect x="7.500" y="3.500" width="9" height="17" rx="2" /><path d="M11 17.500h2" />`,
  tablet: svg`<rect x="5" y="3.500" width="14" height="17" rx="2" /><path d="M11 17.500h2" />`,
  screen: svg`<rect x="3" y="4.500" width="18" height="12" rx="2" /><path d="M9 20h6M12 16.500V20" />`,
  expand: svg`<path d="M4.500 9.500v-5h5M14.500 4.500h5v5M19.500 14.500v5h-5M9.500 19.500h-5v-5" />`,
  reload: svg`<path d="M19 12a7 7 0 1 1-2-4.9M19 4v4h-4" />`,
  undo: svg`<path d="M8.500 5L4.500 9l4 4M4.500 9h9a5.500 5.500 0 0 1 0 11H10" />`,
  fork: svg`<circle cx="7" cy="5.500" r="2" /><circle cx="17" cy="5.500" r="2" /><circle cx="12" cy="18.500" r="2" /><path d="M7 7.500c0 5 5 3.500 5 9M17 7.500c0 5-5 3.500-5 9" />`,
  pin: svg`<path d="M9 4.500h6l-1 6 3 3.500H7l3-3.500zM12 14v6" />`,
  pen: svg`<path d="M5 19l1-4L16.500 4.500l3 3L9 18z" />`,
  gear: svg`<circle cx="12" cy="12" r="3" /><path d="M12 3.500v3M12 17.500v3M3.500 12h3M17.500 12h3M6 6l2.100 2.100M15.900 15.900L18 18M18 6l-2.100 2.100M8.100 15.900L6 18" />`,
  upload: svg`<path d="M12 15V4M7 8.500l5-5 5 5M5 20h14" />`,
  search: svg`<circle cx="11" cy="11" r="6" /><path d="M15.500 15.500L20 20" />`,
  key: svg`<circle cx="8" cy="15" r="3.500" /><path d="M10.500 12.500L19 4M15.500 7.500l3 3" />`,
  copy: svg`<rect x="8.500" y="8.500" width="11" height="11" rx="2" /><path d="M15.500 8.500v-2a2 2 0 0 0-2-2h-7a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h2" />`,
  share: svg`<path d="M12 14V4M8 7.500l4-4 4 4M6 11.500v8h12v-8" />`,
  target: svg`<circle cx="12" cy="12" r="6.500" /><path d="M12 2.500v5M12 16.500v5M2.500 12h5M16.500 12h5" />`,
  chart: svg`<path d="M4.5 4.500v15h15M8 15l3.500-4.500 3 2.500L19 7.500" />`,
  film: svg`<rect x="3.5" y="5" width="17" height="14" rx="2" /><path d="M8 5v14M16 5v14M3.5 9.5H8M3.5 14.5H8M16 9.5h4.5M16 14.5h4.5" />`,
} satisfies Record<string, SVGTemplateResult>;

export type IconName = keyof typeof PATHS;

/** A small icon next to a text with the same meaning: hidden from screen readers. */
export function icon(name: IconName): TemplateResult {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${PATHS[name]}</svg>`;
}

/** A small button with an icon. A double click acts once: the first click may change what is under the pointer. `description` is the id of an element that says what the button concerns. */
export function iconButton(
  name: IconName,
  label: string,
  run: (button: HTMLElement) => void,
  { disabled = false, description }: { disabled?: boolean; description?: string } = {},
): TemplateResult {
  return html`<button
    type="button"
    class="quiet small"
    title=${label}
    aria-describedby=${description ?? nothing}
    ?disabled=${disabled}
    @click=${singleClick(({ currentTarget }) => run(currentTarget as HTMLElement))}
  >
    ${icon(name)}<span class="sr">${label}</span>
  </button>`;
}

/** What a part of the workbench shows while it has no content. */
export function emptyView(name: IconName, text: string): TemplateResult {
  return html`<p class="empty blank">${icon(name)}<span>${text}</span></p>`;
}
