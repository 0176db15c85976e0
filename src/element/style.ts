import { css } from 'lit';

/** Colors follow the page's `color-scheme`; each is a variable that the page may set. */
export const style = css`
  :host {
    --accent: var(--rolezero-accent, light-dark(#3553c8, #9db1ff));
    --on-accent: var(--rolezero-on-accent, light-dark(#fff, #10131f));
    --surface: var(--rolezero-surface, light-dark(#fff, #16181d));
    --raised: var(--rolezero-raised, light-dark(#f3f4f8, #22252d));
    --text: var(--rolezero-text, light-dark(#1b1d23, #e8eaf0));
    --muted: var(--rolezero-muted, light-dark(#5a6072, #a3abbd));
    --border: var(--rolezero-border, light-dark(#d5d8e2, #383d4a));
    --danger: var(--rolezero-danger, light-dark(#b3261e, #ffb4ab));
    --radius: var(--rolezero-radius, 10px);
    display: flex;
    flex-direction: column;
    min-block-size: 12rem;
    block-size: 100%;
    color: var(--text);
    background: var(--surface);
    font: var(--rolezero-font, 1rem / 1.5 system-ui, sans-serif);
  }
  :host([hidden]) {
    display: none;
  }
  .log {
    flex: 1;
    min-block-size: 0;
    overflow-y: auto;
    padding: 1rem;
    display: flex;
    flex-direction: column;
    gap: 0.75rem;
  }
  .log:focus-visible,
  summary:focus-visible,
  button:focus-visible,
  textarea:focus-visible,
  input:focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  .request {
    align-self: flex-end;
    max-inline-size: 85%;
    padding: 0.5rem 0.75rem;
    background: var(--raised);
    border-radius: var(--radius);
    overflow-wrap: anywhere;
  }
  .request-text {
    white-space: pre-wrap;
  }
  .reply {
    overflow-wrap: anywhere;
  }
  .markdown > :first-child {
    margin-block-start: 0;
  }
  .markdown > :last-child {
    margin-block-end: 0;
  }
  .markdown .host,
  .thought,
  .status {
    color: var(--muted);
  }
  pre {
    max-block-size: 20rem;
    overflow: auto;
    margin: 0.25rem 0;
    padding: 0.5rem;
    background: var(--raised);
    border-radius: var(--radius);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
    font:
      0.85em / 1.5 ui-monospace,
      monospace;
  }
  summary {
    cursor: pointer;
  }
  .thought p {
    margin: 0.25rem 0 0;
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .failed > summary,
  .error {
    color: var(--danger);
  }
  summary,
  .name {
    overflow-wrap: anywhere;
  }
  .question,
  .interrupted {
    display: flex;
    flex-direction: column;
    gap: 0.5rem;
    padding: 0.75rem;
    border: 1px solid var(--accent);
    border-radius: var(--radius);
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
    align-items: end;
  }
  button {
    padding: 0.4rem 0.8rem;
    color: var(--text);
    background: var(--raised);
    border: 1px solid var(--border);
    border-radius: var(--radius);
    font: inherit;
    cursor: pointer;
    overflow-wrap: anywhere;
  }
  button.main {
    color: var(--on-accent);
    background: var(--accent);
    border-color: transparent;
  }
  button:disabled {
    opacity: 0.6;
    cursor: default;
  }
  form.composer {
    display: flex;
    flex-direction: column;
    gap: 0.5rem;
    padding: 0.75rem 1rem;
    border-block-start: 1px solid var(--border);
  }
  textarea,
  input[type='text'] {
    flex: 1;
    min-inline-size: 8rem;
    box-sizing: border-box;
    padding: 0.5rem 0.75rem;
    color: inherit;
    background: var(--surface);
    border: 1px solid var(--border);
    border-radius: var(--radius);
    font: inherit;
    resize: none;
  }
  textarea {
    field-sizing: content;
    min-block-size: 2.5rem;
    max-block-size: 12rem;
  }
  .status {
    min-block-size: 1.5em;
    font-size: 0.9em;
  }
  .hidden {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
`;
