import { html, type TemplateResult } from 'lit';
import type { State } from '../state/app-state.js';
import { isTour, titleOf } from '../state/session-names.js';
import { icon } from './icons.js';

export interface SessionActions {
  begin: () => void;
  open: (name: string) => void;
  remove: (name: string) => void;
}

/** The sessions kept in this browser, newest first. */
export function sessionsView({ sessions, session }: State, actions: SessionActions): TemplateResult {
  const remove = (name: string): void => {
    if (confirm(`Remove “${titleOf(name)}” with its conversation and files? This cannot be undone.`))
      actions.remove(name);
  };
  return html`
    <button type="button" class="new" @click=${actions.begin}>${icon('plus')} New session</button>
    <ul class="sessions">
      ${sessions.map(
        ({ name, updatedAt }) =>
          html`<li>
            <button
              type="button"
              data-session=${name}
              aria-current=${name === session ? 'true' : 'false'}
              @click=${() => actions.open(name)}
            >
              <span>${isTour(name) ? icon('film') : ''} ${titleOf(name)}</span>
              <small>${when(updatedAt)}</small>
            </button>
            <button type="button" class="quiet remove" title="Remove" @click=${() => remove(name)}>
              ${icon('trash')}<span class="sr">Remove ${titleOf(name)}</span>
            </button>
          </li>`,
      )}
    </ul>
    ${sessions.length === 0 ? html`<p class="hint">Sessions are kept in this browser and nowhere else.</p>` : ''}
  `;
}

/** A moment as people say it. */
export function when(time: number): string {
  const date = new Date(time);
  const today = date.toDateString() === new Date().toDateString();
  return date.toLocaleString(
    undefined,
    today ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' },
  );
}
