import { html, nothing, type TemplateResult } from 'lit';
import { isolated } from '../element/isolated.js';
import type { Inspected } from './inspected-session.js';
import { untrustedSources } from './labels.js';
import { timeText } from './numbers.js';
import type { InspectorWords } from './words.js';

/** What the user has allowed, the decisions about commands, and the labels of what was read. */
export function approvalsView(
  { approvals, steps, messages }: Inspected,
  words: InspectorWords,
  /** Null while nothing can be changed. */
  revoke: ((id: string) => void) | null,
): TemplateResult {
  const decisions = steps.flatMap(({ role, startedAt, commands }) =>
    commands.flatMap(({ name, permission }) =>
      permission === undefined ? [] : [{ role, startedAt, name, permission }],
    ),
  );
  const sources = untrustedSources(messages);
  return html`<div class="part">
    <h3>${words.allowed}</h3>
    ${approvals.length === 0 ? html`<p class="facts">${words.nothingAllowed}</p>` : nothing}
    <ul>
      ${approvals.map(
        ({ id, role, text, lifetime }) =>
          html`<li part="approval">
            ${isolated(`${role}: ${text}`)} <small>${words.lifetimes[lifetime]}</small>
            <button
              type="button"
              part="revoke"
              aria-label=${`${words.revoke}: ${role}: ${text}`}
              ?disabled=${revoke === null}
              @click=${() => revoke?.(id)}
            >
              ${words.revoke}
            </button>
          </li>`,
      )}
    </ul>
    <h3>${words.decisions}</h3>
    ${decisions.length === 0 ? html`<p class="facts">${words.noDecisions}</p>` : nothing}
    <ul>
      ${decisions.map(
        ({ role, startedAt, name, permission }) =>
          html`<li part="decision">
            <small>${timeText(startedAt)}</small> ${role} <code>${name}</code>: ${words.decision(permission)}
            ${permission.why === '' ? nothing : html`<p class="facts">${isolated(permission.why)}</p>`}
          </li>`,
      )}
    </ul>
    <h3>${words.sources}</h3>
    ${sources.length === 0 ? html`<p class="facts">${words.noSources}</p>` : nothing}
    <ul>
      ${sources.map((source) => html`<li part="source">${isolated(source)}</li>`)}
    </ul>
  </div>`;
}
