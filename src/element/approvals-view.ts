import { html, nothing, type TemplateResult } from 'lit';
import type { GrantedApproval } from '../core/human.js';
import { isolated } from './isolated.js';
import type { ChatWords } from './words.js';

/** The list of what the user has allowed, each with a button that revokes it; nothing when nothing is allowed. */
export function approvalsView(
  approvals: readonly GrantedApproval[],
  words: ChatWords,
  revoke: ((id: string) => void) | null,
): TemplateResult | typeof nothing {
  if (approvals.length === 0) return nothing;
  return html`<details class="approvals" part="approvals">
    <summary>${words.allowed(approvals.length)}</summary>
    <ul>
      ${approvals.map((each) => {
        const text = words.allowedTo(each);
        return html`<li part="approval">
          <span>${isolated(text)}</span>
          <small>${each.lifetime === 'run' ? words.untilRunEnds : words.untilSessionEnds}</small>
          ${
            revoke === null
              ? nothing
              : html`<button
                  type="button"
                  class="quiet"
                  part="revoke"
                  aria-label=${`${words.revoke}: ${text}`}
                  @click=${() => revoke(each.id)}
                >
                  ${words.revoke}
                </button>`
          }
        </li>`;
      })}
    </ul>
  </details>`;
}
