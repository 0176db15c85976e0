import { css } from 'lit';

/** Colors follow the page's `color-scheme`; the variables are those of `<rolezero-chat>`. */
export const inspectorStyle = css`
  :host {
    --_accent: var(--rolezero-accent, light-dark(oklch(50% 0.19 277), oklch(76% 0.13 282)));
    --_surface: var(--rolezero-surface, light-dark(#fff, oklch(21% 0.016 280)));
    --_raised: var(--rolezero-raised, light-dark(oklch(96% 0.008 280), oklch(19% 0.016 280)));
    --_text: var(--rolezero-text, light-dark(oklch(27% 0.022 280), oklch(93% 0.008 280)));
    --_muted: var(--rolezero-muted, light-dark(oklch(50% 0.022 280), oklch(71% 0.016 280)));
    --_border: var(--rolezero-border, light-dark(oklch(90% 0.008 280), oklch(30% 0.016 280)));
    --_danger: var(--rolezero-danger, light-dark(oklch(51% 0.18 25), oklch(76% 0.13 25)));
    display: flex;
    flex-direction: column;
    container-type: inline-size;
    min-block-size: 10rem;
    block-size: 100%;
    color: var(--_text);
    background: var(--_surface);
    font: var(--rolezero-font, 0.875rem / 1.5 system-ui, sans-serif);
  }
  :host([hidden]) {
    display: none;
  }
  *,
  *::before,
  *::after {
    box-sizing: border-box;
  }
  :focus-visible {
    outline: 2px solid var(--_accent);
    outline-offset: -2px;
  }
  .bar {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25rem 1rem;
    padding: 0.35rem 0.75rem;
    border-block-end: 1px solid var(--_border);
  }
  .tabs {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem;
  }
  .body {
    flex: 1;
    min-block-size: 0;
    display: grid;
    grid-template-columns: minmax(11rem, 16rem) minmax(0, 1fr);
  }
  .body > *,
  .part {
    min-block-size: 0;
    overflow-y: auto;
    padding: 0.5rem 0.75rem;
    overflow-wrap: anywhere;
  }
  .part {
    flex: 1;
  }
  ol.steps {
    margin: 0;
    padding: 0.35rem;
    list-style: none;
    border-inline-end: 1px solid var(--_border);
  }
  .steps .request {
    margin: 0.5rem 0.35rem 0.15rem;
    color: var(--_muted);
    font-size: 0.75rem;
    overflow: hidden;
    white-space: nowrap;
    text-overflow: ellipsis;
  }
  .steps button {
    display: block;
    inline-size: 100%;
    text-align: start;
    background: none;
    border-color: transparent;
  }
  .steps button[aria-current='true'] {
    background: var(--_raised);
    border-color: var(--_border);
  }
  small,
  .facts {
    color: var(--_muted);
    font-size: 0.75rem;
  }
  .steps small {
    display: block;
  }
  .facts {
    margin: 0 0 0.35rem;
  }
  .failed code,
  .failed small,
  .steps .failed,
  .problem {
    color: var(--_danger);
  }
  .problem {
    margin: 0;
    padding: 0.35rem 0.75rem;
  }
  header {
    display: flex;
    flex-wrap: wrap;
    align-items: baseline;
    gap: 0.25rem 0.75rem;
  }
  header button {
    margin-inline-start: auto;
  }
  h3,
  h4 {
    margin: 0;
    font-size: 0.875rem;
  }
  h4,
  .part h3 {
    margin-block: 0.75rem 0.15rem;
  }
  ul {
    margin: 0 0 0.5rem;
    padding-inline-start: 1.1rem;
  }
  .command p {
    margin: 0.35rem 0 0;
  }
  summary {
    cursor: pointer;
  }
  pre {
    max-block-size: 24rem;
    margin: 0.25rem 0 0.5rem;
    padding: 0.5rem 0.65rem;
    overflow: auto;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    background: var(--_raised);
    border-radius: 0.4rem;
    font:
      0.75rem / 1.5 ui-monospace,
      Menlo,
      Consolas,
      monospace;
  }
  code {
    font-family: ui-monospace, Menlo, Consolas, monospace;
  }
  .message {
    margin-inline-start: 0.75rem;
  }
  button {
    min-block-size: 1.75rem;
    padding: 0.15rem 0.6rem;
    color: var(--_text);
    background: var(--_raised);
    border: 1px solid var(--_border);
    border-radius: 0.4rem;
    font: inherit;
    cursor: pointer;
  }
  button:hover {
    border-color: var(--_accent);
  }
  button:disabled {
    opacity: 0.55;
    cursor: default;
  }
  .tabs button[aria-selected='true'] {
    color: var(--_accent);
    border-color: var(--_accent);
  }
  @container (inline-size < 34rem) {
    .body {
      grid-template: minmax(6rem, 35%) minmax(0, 1fr) / minmax(0, 1fr);
    }
    ol.steps {
      border-inline-end: none;
      border-block-end: 1px solid var(--_border);
    }
    button {
      min-block-size: 2.5rem;
    }
  }
`;
