import { css } from 'lit';

/** What was written and done, and the open question. */
export const entryStyle = css`
  :is(h1, h2, h3, h4, h5, h6, p, ul, ol, pre) {
    margin: 0;
  }
  code,
  pre {
    font-family: var(--_mono);
    font-size: 0.8125rem;
  }
  .who {
    display: flex;
    align-items: center;
    gap: 0.3rem;
    margin-block-end: 0.15rem;
    color: var(--_muted);
    font-size: 0.75rem;
    font-weight: 600;
  }
  .request {
    justify-self: end;
    max-inline-size: 85%;
    padding: 0.6rem 0.95rem;
    border-radius: var(--_radius) var(--_radius) 0.2rem var(--_radius);
    background: var(--_accent-soft);
  }
  .request-text {
    white-space: pre-wrap;
  }
  .attached {
    margin-block-start: 0.5rem;
  }
  .chip {
    padding: 0.1rem 0.5rem;
    border: 1px solid var(--_border);
    border-radius: 0.4rem;
    background: var(--_surface);
    font-size: 0.8125rem;
  }
  .thumbnail {
    max-inline-size: min(14rem, 100%);
    max-block-size: 9rem;
    border-radius: 0.4rem;
    object-fit: contain;
  }
  button > .thumbnail {
    block-size: 2rem;
    inline-size: 2rem;
    object-fit: cover;
  }
  .asked {
    display: grid;
    justify-self: end;
    max-inline-size: 85%;
  }
  .asked > .request {
    max-inline-size: none;
  }
  .asked.waiting > .request {
    border: 1px dashed var(--_border);
    background: none;
  }
  .actions {
    display: flex;
    align-items: center;
    justify-content: end;
    gap: 0.1rem;
    min-block-size: 1.75rem;
  }
  /* Quiet until they are wanted; versions are always visible, as they are news. */
  .reply {
    position: relative;
  }
  .reply > .actions {
    justify-content: start;
    margin-inline-start: -0.35rem;
  }
  @media (hover: hover) {
    .reply > .actions {
      position: absolute;
      inset-block-start: 0;
      inset-inline-end: 0;
      min-block-size: 0;
      border-radius: 0.4rem;
      background: var(--_surface);
    }
    .reply:not(:hover, :focus-within) > .actions {
      opacity: 0;
    }
    .asked:not(:hover, :focus-within, .waiting)
      .actions
      > :is([part='edit'], [part='repeat'], [part='copy']) {
      opacity: 0;
    }
  }
  button.small {
    min-inline-size: 1.75rem;
    min-block-size: 1.75rem;
    padding: 0.15rem;
    border-color: transparent;
    background: none;
    color: var(--_muted);
    line-height: 1;
  }
  button.small.done {
    color: var(--_success);
  }
  button.small:disabled {
    opacity: 0.4;
  }
  .request.edited {
    display: grid;
    gap: 0.4rem;
    inline-size: 85%;
  }
  .request.edited textarea {
    inline-size: 100%;
    box-sizing: border-box;
  }
  .request.edited .row {
    justify-content: end;
  }
  .place {
    display: contents;
  }
  .place.found > * {
    border-radius: var(--_radius);
    outline: 2px solid var(--_accent);
    outline-offset: 4px;
  }
  .search {
    align-items: center;
    padding: 0.4rem max(1.25rem, calc((100% - 47.5rem) / 2));
    border-block-end: 1px solid var(--_border);
  }
  .search input {
    flex: 1;
    min-inline-size: 8rem;
    padding: 0.35rem 0.7rem;
    border: 1px solid var(--_border);
    border-radius: 0.5rem;
    background: var(--_surface);
    color: inherit;
    font: inherit;
    font-size: 0.875rem;
  }
  .search input::-webkit-search-cancel-button {
    display: none;
  }
  .changes {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.4rem;
  }
  .changes .row {
    align-items: center;
  }
  .changes .row > .about {
    flex: 1;
    min-inline-size: 0;
    font-family: var(--_mono);
    font-size: 0.8125rem;
  }
  .changed-file {
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
    overflow: hidden;
  }
  .changed-file > .row {
    padding: 0.2rem 0.3rem 0.2rem 0.75rem;
    min-block-size: 2.25rem;
  }
  .changed-file.undone > .row > .about {
    color: var(--_muted);
    text-decoration: line-through;
  }
  .added {
    color: var(--_success);
  }
  .removed {
    color: var(--_danger);
  }
  .diff {
    max-block-size: 20rem;
    overflow: auto;
    padding-block: 0.3rem;
    border-block-start: 1px solid var(--_border);
    background: var(--_raised);
    line-height: 1.5;
  }
  .diff > .line {
    display: block;
    padding-inline: 0.75rem;
    inline-size: max-content;
    min-inline-size: 100%;
    text-decoration: none;
    white-space: pre;
  }
  .diff > ins {
    background: var(--_success-soft);
  }
  .diff > del {
    background: var(--_danger-soft);
  }
  .conflict {
    display: grid;
    gap: 0.5rem;
    padding: 0.75rem 0.95rem;
    border: 1px solid var(--_warning);
    border-radius: var(--_radius);
    background: var(--_warning-soft);
  }
  .reply {
    font-size: 1rem;
  }
  .reply.between {
    padding: 0.6rem 0.95rem;
    border-radius: var(--_radius);
    background: var(--_raised);
    font-size: 0.9375rem;
  }
  .exchange,
  .step {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.15rem;
  }
  .exchange {
    gap: 0.75rem;
  }
  .step > :is(.reply, .finished, .exchange) {
    margin-block: 0.6rem;
  }
  .step.selected {
    margin-inline: -0.6rem;
    padding: 0.6rem;
    border-radius: var(--_radius);
    outline: 2px solid var(--_accent);
  }
  summary {
    cursor: pointer;
    border-radius: 0.4rem;
  }
  .thought {
    padding-block: 0.15rem;
    color: var(--_muted);
    font-size: 0.875rem;
  }
  .thought summary {
    margin-inline-start: calc(-1 * var(--_gutter));
    overflow: hidden;
    list-style: none;
    font-size: 0.8125rem;
    font-weight: 500;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .thought summary::-webkit-details-marker {
    display: none;
  }
  .thought summary::before {
    content: '';
    display: inline-block;
    inline-size: 0.4rem;
    block-size: 0.4rem;
    margin-inline: 0.2rem calc(var(--_gutter) - 0.85rem); /* and a space */
    border: solid currentColor;
    border-width: 1.5px 1.5px 0 0;
    rotate: 45deg;
    vertical-align: 0.1rem;
  }
  .thought[open] summary::before {
    rotate: 135deg;
    vertical-align: 0.2rem;
  }
  .thought summary .about {
    margin-inline-start: 0.35rem;
    font-style: italic;
    font-weight: 400;
  }
  .thought[open] summary .about {
    display: none;
  }
  .thought p {
    margin-block-start: 0.15rem;
    white-space: pre-wrap;
  }
  .thought .reasoning {
    font-style: italic;
  }
  .caret {
    display: inline-block;
    inline-size: 0.45rem;
    block-size: 1em;
    margin-inline-start: 0.15rem;
    border-radius: 1px;
    background: var(--_accent);
    vertical-align: -0.12em;
    animation: pulse 1s steps(2, jump-none) infinite;
  }
  .writing {
    display: flex;
    align-items: center;
    gap: 0.55rem;
    margin-inline-start: calc(-1 * var(--_gutter));
    padding-block: 0.25rem;
    font-size: 0.8125rem;
  }
  :is(.lines, .duration) {
    color: var(--_muted);
    font-size: 0.75rem;
    font-variant-numeric: tabular-nums;
    white-space: nowrap;
  }
  /* Commands are quieter than the text; an opened one is a box. */
  .command {
    margin-inline-start: calc(-1 * var(--_gutter));
    overflow: hidden;
    border: 1px solid transparent;
    border-radius: 0.6rem;
    font-size: 0.8125rem;
  }
  .command[open] {
    margin-block: 0.3rem;
    border-color: var(--_border);
    background: var(--_surface);
  }
  .command summary {
    display: flex;
    align-items: center;
    gap: 0.55rem;
    padding: 0.2rem 0.5rem 0.2rem 0;
    list-style: none;
  }
  .command summary::-webkit-details-marker {
    display: none;
  }
  .command summary:hover {
    background: var(--_raised);
  }
  :is(.command .state, .writing .spinner) {
    flex: none;
    inline-size: calc(var(--_gutter) - 0.55rem);
  }
  .writing .spinner {
    block-size: calc(var(--_gutter) - 0.55rem);
  }
  .command .state {
    display: inline-flex;
    color: var(--_muted);
  }
  .command.ok .state {
    color: var(--_success);
  }
  .command.failed .state {
    color: var(--_danger);
  }
  .command.failed {
    background: var(--_danger-soft);
  }
  :is(.command, .writing) :is(code, .words) {
    font-weight: 550;
    white-space: nowrap;
  }
  .command .name {
    padding: 0 var(--_gutter);
  }
  .command .name code {
    color: var(--_muted);
    font-weight: 400;
  }
  :is(.command, .writing) .about {
    flex: 1;
    overflow: hidden;
    color: var(--_muted);
    font-size: 0.8125rem;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .argument {
    padding: 0.45rem 0.75rem 0.45rem var(--_gutter);
    border-block-start: 1px solid var(--_border);
  }
  .argument span {
    color: var(--_muted);
    font-size: 0.75rem;
    font-weight: 600;
  }
  .argument pre {
    max-block-size: 18rem;
    overflow: auto;
    white-space: pre-wrap;
  }
  .aside,
  .hint {
    color: var(--_muted);
    font-size: 0.8125rem;
  }
  .aside {
    display: flex;
    align-items: center;
    gap: 0.5rem;
  }
  .aside.warning .icon {
    color: var(--_warning);
  }
  .finished {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.35rem 0.75rem;
    min-block-size: 2.25rem;
    margin-inline-start: calc(-1 * var(--_gutter));
    border-block-start: 1px solid var(--_border);
    padding-block: 0.5rem;
  }
  .finished .markdown {
    flex-basis: 100%;
    padding-inline-start: var(--_gutter);
  }
  .finished .who {
    gap: calc(var(--_gutter) - 0.95rem);
    align-self: start;
    min-block-size: 2.25rem;
    margin: 0;
    color: var(--_success);
    font-size: 0.8125rem;
  }
  .finished.with-failures .who {
    color: var(--_warning);
  }
  .notice,
  .interrupted,
  .question {
    padding: 0.85rem 1rem;
    border: 1px solid transparent;
    border-radius: var(--_radius);
  }
  .notice {
    display: flex;
    gap: 0.75rem;
    background: var(--_danger-soft);
  }
  .notice > .icon {
    margin-block-start: 0.2rem;
    color: var(--_danger);
  }
  .notice .error-code {
    margin-block-start: 0.5rem;
    color: var(--_muted);
    font-size: 0.8125rem;
  }
  .interrupted {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 0.75rem;
    background: var(--_warning-soft);
  }
  .question fieldset {
    display: grid;
    gap: 0.7rem;
    min-inline-size: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }
  .question {
    border: 1.5px solid var(--_accent);
    background: var(--_surface);
    box-shadow: 0 0 0 4px var(--_accent-soft);
  }
  .question .who {
    margin: 0;
    color: var(--_accent);
  }
  .question pre {
    max-block-size: 14rem;
    overflow: auto;
    padding: 0.6rem;
    border-radius: 0.5rem;
    background: var(--_raised);
    white-space: pre-wrap;
  }
  .question .reason {
    color: var(--_muted);
  }
  .question .disclosure {
    display: flex;
    gap: 0.5rem;
    padding: 0.5rem 0.7rem;
    border-radius: 0.5rem;
    background: var(--_warning-soft);
  }
  .question .disclosure .icon {
    margin-block-start: 0.2rem;
    color: var(--_warning);
  }
  .question .added {
    background: color-mix(in srgb, var(--_success) 25%, transparent);
  }
  .question .removed {
    background: color-mix(in srgb, var(--_danger) 25%, transparent);
  }
  .question .own {
    display: flex;
    gap: 0.5rem;
  }
  /* Each line has the direction of its own first letter, whatever the language around it. */
  .question :is(p, li),
  .request,
  .thought p,
  .markdown :is(p, li, td, th) {
    unicode-bidi: plaintext;
  }
  .question pre,
  .argument pre,
  :is(.command, .writing) .about {
    direction: ltr;
    unicode-bidi: isolate;
  }
  .markdown.plain {
    white-space: pre-wrap;
  }
  .markdown > * + * {
    margin-block-start: 0.5rem;
  }
  .markdown :is(ul, ol) {
    padding-inline-start: 1.25rem;
  }
  .markdown :is(h1, h2, h3, h4, h5, h6) {
    font-size: 1rem;
    font-weight: 600;
  }
  .markdown pre {
    padding: 0.6rem 0.75rem;
    overflow-x: auto;
    border-radius: 0.5rem;
    background: var(--_raised);
  }
  .markdown .code {
    overflow: hidden;
    border-radius: 0.5rem;
    background: var(--_raised);
  }
  .code-head {
    display: flex;
    align-items: center;
    justify-content: space-between;
    padding-inline-start: 0.75rem;
    color: var(--_muted);
    font-size: 0.75rem;
  }
  .markdown .code pre {
    padding-block-start: 0.1rem;
    border-radius: 0;
  }
  .markdown .formula {
    overflow-x: auto;
    overflow-y: hidden;
  }
  .markdown .diagram {
    display: block;
    max-inline-size: 100%;
    block-size: auto;
    margin-block: 0 0.5rem;
    margin-inline: auto;
    border-radius: 0.5rem;
  }
  .markdown blockquote {
    margin: 0;
    padding-inline-start: 0.75rem;
    color: var(--_muted);
    border-inline-start: 3px solid var(--_border);
  }
  :is(.tok-keyword, .tok-operator, .tok-typeName, .tok-className, .tok-meta) {
    color: var(--_accent);
  }
  :is(.tok-string, .tok-string2, .tok-url, .tok-inserted) {
    color: var(--_success);
  }
  :is(.tok-number, .tok-bool, .tok-atom, .tok-literal, .tok-propertyName) {
    color: var(--_warning);
  }
  .tok-comment {
    color: var(--_muted);
    font-style: italic;
  }
  :is(.tok-invalid, .tok-deleted) {
    color: var(--_danger);
  }
  .tok-heading,
  .tok-strong {
    font-weight: 600;
  }
  .markdown :not(pre) > code {
    padding: 0.05rem 0.3rem;
    border-radius: 0.3rem;
    background: var(--_raised);
  }
  .markdown a {
    color: var(--_accent);
  }
  .markdown .host {
    color: var(--_muted);
    font-size: 0.875em;
    unicode-bidi: isolate;
  }
  .markdown table {
    border-collapse: collapse;
  }
  .markdown :is(td, th) {
    padding: 0.2rem 0.6rem;
    border: 1px solid var(--_border);
  }
`;
