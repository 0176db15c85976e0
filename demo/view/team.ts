import { html, nothing, type TemplateResult } from 'lit';
import type { Inspection } from 'rolezero';
import { roleNames } from '../agent-config.js';
import type { State } from '../state/app-state.js';
import { isTeam } from '../state/session-names.js';
import { t } from '../text/index.js';
import { partTexts, type PartTexts } from '../text/parts.js';
import { emptyView, icon } from './icons.js';

type MessageTrace = Inspection['messages'][number];
type MessageReaction = MessageTrace['reactions'][number];

/** The reasons of the library, which are written for developers, by how they begin or what they contain. */
const REASONS: readonly [RegExp, keyof PartTexts['reactionReasons']][] = [
  [/^is addressed by name/, 'named'],
  [/^watches for messages/, 'watches'],
  [/^(only stores|ignores) it: it is not addressed/, 'notNamed'],
  [/^sent it/, 'own'],
  [/too many messages wait/, 'full'],
  [/^does not receive it: it is for .* only$/, 'others'],
];

/** Maximum number of messages shown. */
const MOST_MESSAGES = 100;

/** The roles with their phases, and each message: who received it, who acted on it, and why. */
export function teamView(state: State): TemplateResult {
  const p = partTexts(state);
  const roles = roleNames(isTeam(state.session));
  const { inspection } = state;
  const messages = inspection?.messages.slice(-MOST_MESSAGES) ?? [];
  return html`
    <ul class="roles">
      ${roles.map((role) => {
        const phase = state.phases.get(role) ?? 'idle';
        const tasks = state.plan?.tasks.filter((task) => task.assignee === role) ?? [];
        return html`<li data-role=${role}>
          <span class="portrait" aria-hidden="true">${role.slice(0, 1)}</span>
          <span>
            <strong>${role}</strong>
            <small>
              ${state.runningSince === null ? p.phases.idle : p.phases[phase]}${
                tasks.length === 0
                  ? nothing
                  : html` · ${tasks.filter((task) => task.isFinished).length}/${tasks.length}`
              }
            </small>
          </span>
        </li>`;
      })}
    </ul>
    ${roles.length === 1 ? html`<p class="empty">${p.single}</p>` : nothing}
    <h3>${p.messages}</h3>
    ${messages.length === 0 ? emptyView('people', p.noMessages) : nothing}
    <ol class="messages">
      ${messages.map((trace) => messageView(trace, roles.length > 1, p))}
    </ol>
    ${
      (inspection?.deadLetters.length ?? 0) === 0
        ? nothing
        : html`<h3>${p.undelivered}</h3>
            <ol class="messages">
              ${inspection?.deadLetters.map(
                ({ message, undeliverable }) =>
                  html`<li>
                    <strong>${undeliverable.join(', ')}</strong>
                    <p>${message.content}</p>
                  </li>`,
              )}
            </ol>`
    }
  `;
}

function messageView(
  { message, recipients, reactions }: MessageTrace,
  isTeamwork: boolean,
  p: PartTexts,
): TemplateResult {
  const toWork = reactions.filter(({ reacts }) => reacts).map(({ role }) => role);
  const to = toWork.length > 0 ? toWork : recipients;
  const from = message.causeBy === 'UserRequirement' ? t.you : message.sentFrom || t.you;
  return html`<li>
    <details>
      <summary>
        <strong>${from}</strong> → ${to.length === 0 ? p.noOne : to.join(', ')}
        <span class="about">${message.content}</span>
      </summary>
      <p>${message.content}</p>
      ${
        isTeamwork
          ? html`<ul class="reactions">
              ${reactions.map((reaction) => reactionView(reaction, p))}
            </ul>`
          : nothing
      }
    </details>
  </li>`;
}

function reasonOf(why: string, p: PartTexts): string {
  const [, key] = REASONS.find(([pattern]) => pattern.test(why)) ?? [];
  return key === undefined ? why : p.reactionReasons[key];
}

function reactionView({ role, reacts, why }: MessageReaction, p: PartTexts): TemplateResult {
  return html`<li class=${reacts ? 'reacts' : ''}>
    ${icon(reacts ? 'check' : 'dot')}
    <span><strong>${role}</strong> ${reacts ? p.reacts : p.ignores}: <small>${reasonOf(why, p)}</small></span>
  </li>`;
}
