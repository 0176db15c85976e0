import { css } from 'lit';

/** The fields for the arguments of a command, and the list of what is allowed. */
export const approvalsStyle = css`
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
