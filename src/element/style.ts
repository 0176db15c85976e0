import { css, type CSSResultGroup } from 'lit';
import { entryStyle } from './entry-style.js';

/** The fields for the arguments of a command, and the list of what is allowed. */
const approvalsStyle = css`
  .change-arguments > summary,
  .approvals > summary {
    color: var(--_muted);
    cursor: pointer;
  }
  .change-arguments label {
    display: grid;
    gap: 0.25rem;
    margin-block: 0.5rem;
  }
  .change-arguments label > span {
    color: var(--_muted);
    font-size: 0.8125rem;
  }
  .change-arguments textarea {
    inline-size: 100%;
    font-family: var(--_mono);
    font-size: 0.8125rem;
  }
  .approvals {
    padding: 0.5rem 1rem;
    border-block-start: 1px solid var(--_border);
    font-size: 0.875rem;
  }
  .approvals ul {
    display: grid;
    gap: 0.25rem;
    max-block-size: 10rem;
    margin: 0.35rem 0 0;
    padding: 0;
    overflow-y: auto;
    list-style: none;
  }
  .approvals li {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25rem 0.75rem;
    overflow-wrap: anywhere;
  }
  .approvals small {
    color: var(--_muted);
  }
  .approvals button {
    margin-inline-start: auto;
  }
`;

/** Colors follow the page's `color-scheme`; each is a variable that the page may set. */
const frameStyle = css`
  :host {
    --_accent: var(--rolezero-accent, light-dark(oklch(50% 0.19 277), oklch(76% 0.13 282)));
    --_on-accent: var(--rolezero-on-accent, light-dark(oklch(99% 0.008 280), oklch(18% 0.022 280)));
    --_surface: var(--rolezero-surface, light-dark(#fff, oklch(21% 0.016 280)));
    --_raised: var(--rolezero-raised, light-dark(oklch(96% 0.008 280), oklch(19% 0.016 280)));
    --_text: var(--rolezero-text, light-dark(oklch(27% 0.022 280), oklch(93% 0.008 280)));
    --_muted: var(--rolezero-muted, light-dark(oklch(50% 0.022 280), oklch(71% 0.016 280)));
    --_border: var(--rolezero-border, light-dark(oklch(90% 0.008 280), oklch(30% 0.016 280)));
    --_danger: var(--rolezero-danger, light-dark(oklch(51% 0.18 25), oklch(76% 0.13 25)));
    --_success: var(--rolezero-success, light-dark(oklch(50% 0.11 165), oklch(79% 0.12 165)));
    --_warning: var(--rolezero-warning, light-dark(oklch(52% 0.12 65), oklch(83% 0.11 80)));
    --_accent-soft: var(--rolezero-accent-soft, color-mix(in oklch, var(--_accent) 10%, var(--_surface)));
    --_danger-soft: var(--rolezero-danger-soft, color-mix(in oklch, var(--_danger) 8%, var(--_surface)));
    --_success-soft: var(--rolezero-success-soft, color-mix(in oklch, var(--_success) 12%, var(--_surface)));
    --_warning-soft: var(--rolezero-warning-soft, color-mix(in oklch, var(--_warning) 12%, var(--_surface)));
    --_radius: var(--rolezero-radius, 0.75rem);
    --_mono: ui-monospace, Menlo, Consolas, monospace;
    /* Icons are beside the text, all of which has the same left edge. */
    --_gutter: 1.6rem;
    display: flex;
    flex-direction: column;
    min-block-size: 12rem;
    block-size: 100%;
    color: var(--_text);
    background: var(--_surface);
    font: var(--rolezero-font, 0.9375rem / 1.55 system-ui, sans-serif);
  }
  :host([hidden]) {
    display: none;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  .log {
    flex: 1;
    min-block-size: 0;
    overflow-y: auto;
    padding: 1.1rem max(1.25rem, calc((100% - 47.5rem) / 2));
    overflow-wrap: anywhere;
  }
  .entries {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.65rem;
    padding-inline-start: var(--_gutter);
  }
  @media (prefers-reduced-motion: no-preference) {
    .place > *,
    .finished {
      animation: appear 0.15s ease-out;
    }
  }
  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
  .row,
  .options {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    align-items: end;
  }
  .older {
    justify-content: center;
  }
  button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    gap: 0.4rem;
    min-block-size: 2.25rem;
    padding: 0.35rem 0.85rem;
    color: var(--_text);
    background: var(--_raised);
    border: 1px solid var(--_border);
    border-radius: 0.55rem;
    font: inherit;
    font-weight: 550;
    cursor: pointer;
    overflow-wrap: anywhere;
  }
  button:hover {
    border-color: var(--_accent);
  }
  button.main {
    color: var(--_on-accent);
    background: var(--_accent);
    border-color: transparent;
  }
  button.main:hover {
    filter: brightness(1.06);
  }
  button.quiet {
    min-block-size: 1.9rem;
    padding: 0.2rem 0.55rem;
    color: var(--_muted);
    background: none;
    font-size: 0.8125rem;
    font-weight: 500;
  }
  button:disabled {
    opacity: 0.55;
    cursor: default;
  }
  form.composer {
    display: flex;
    flex-direction: column;
    gap: 0.5rem;
    padding: 0.75rem 1rem;
    border-block-start: 1px solid var(--_border);
  }
  textarea,
  input[type='text'] {
    flex: 1;
    min-inline-size: 8rem;
    min-block-size: 2.25rem;
    padding: 0.4rem 0.65rem;
    color: inherit;
    background: var(--_surface);
    border: 1px solid var(--_border);
    border-radius: 0.55rem;
    font: inherit;
    resize: none;
  }
  textarea {
    field-sizing: content;
    max-block-size: 12rem;
  }
  ::placeholder {
    color: var(--_muted);
    opacity: 0.85;
  }
  .composer .status:empty {
    display: none;
  }
  .composer .status {
    color: var(--_muted);
    font-size: 0.9em;
  }
  .icon {
    flex: none;
    inline-size: 1.15em;
    block-size: 1.15em;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.8;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .spinner {
    display: inline-block;
    flex: none;
    inline-size: 0.85rem;
    block-size: 0.85rem;
    border: 2px solid var(--_border);
    border-block-start-color: var(--_accent);
    border-radius: 50%;
    vertical-align: -0.1rem;
    animation: turn 0.9s linear infinite;
  }
  /* A request's place says who wrote it. */
  .sr,
  .request > .who:has(+ .request-text) {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @keyframes turn {
    to {
      rotate: 1turn;
    }
  }
  @keyframes appear {
    from {
      opacity: 0;
    }
  }
  @keyframes pulse {
    50% {
      opacity: 0.35;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    * {
      animation: none !important;
    }
  }
  @media (max-width: 52rem) {
    .log {
      padding: 0.9rem;
    }
  }
  /* Fingers need more room than a pointer. */
  @media (max-width: 52rem), (pointer: coarse) {
    button,
    summary,
    input,
    textarea {
      min-block-size: 2.5rem !important;
    }
    button.small {
      min-inline-size: 2.5rem !important;
    }
    summary {
      align-content: center;
    }
  }
`;

export const chatStyle: CSSResultGroup = [frameStyle, entryStyle, approvalsStyle];
