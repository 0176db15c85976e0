import { html, nothing, type TemplateResult } from 'lit';
import type { Usage } from 'rolezero';
import type { State } from '../state/app-state.js';
import { isTour } from '../state/session-names.js';

/** What is going on, in a few words, and for how long. */
export function statusView(state: State): TemplateResult {
  const { text, tone } = status(state);
  return html`<span class="status ${tone}">
    <span class="light"></span>
    <span role="status">${text}</span>
    ${state.runningSince === null ? nothing : html`<span class="elapsed">${elapsed(Date.now() - state.runningSince)}</span>`}
  </span>`;
}

/** What the session has cost so far. */
export function usageView(usage: Usage | null, session: string | null): TemplateResult | typeof nothing {
  if (usage === null || usage.calls === 0) return nothing;
  if (isTour(session)) return html`<span class="usage">${usage.calls} recorded replies, 0 tokens</span>`;
  const { promptTokens, completionTokens, cachedPromptTokens, costUsd, calls } = usage;
  return html`<span
    class="usage"
    title="${calls} calls; ${cachedPromptTokens.toLocaleString()} prompt tokens came from a cache"
  >
    ${promptTokens.toLocaleString()} in · ${completionTokens.toLocaleString()} out
    tokens${costUsd === 0 ? nothing : html` · $${costUsd.toFixed(4)}`}
  </span>`;
}

function status(state: State): { text: string; tone: 'busy' | 'ready' | 'asks' | 'rests' } {
  if (state.opening) return { text: 'Opening the session…', tone: 'busy' };
  if (state.question !== null) return { text: 'Waiting for your answer', tone: 'asks' };
  if (state.runningSince === null)
    return state.paused === null ? { text: 'Ready', tone: 'ready' } : { text: 'Not finished', tone: 'rests' };
  const running = state.conversation.entries
    .findLast((entry) => entry.kind === 'step')
    ?.commands.find((command) => command.state === 'running');
  if (running !== undefined) return { text: `Running ${running.name}`, tone: 'busy' };
  return { text: state.phase === 'classifying' ? 'Reading the request…' : 'Thinking…', tone: 'busy' };
}

function elapsed(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
