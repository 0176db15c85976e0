import { html, nothing, type TemplateResult } from 'lit';
import { roleNames } from '../agent-config.js';
import type { App } from '../app.js';
import { isElsewhere, type ModelDownload, type Preparing, type State } from '../state/app-state.js';
import { tourIn } from '../state/session-names.js';
import { isConnected } from '../state/settings.js';
import { WINDOW_FOR_ALL_COMMANDS, WINDOW_FOR_PAGES } from '../state/windows.js';
import { locale, t } from '../text/index.js';
import { commandText } from './command-text.js';

/** The current activity in a few words, and its duration. */
export function statusView(state: State, app: App): TemplateResult {
  const { text, tone } = status(state, app);
  if (text === t.noModel)
    return html`<button type="button" class="status ${tone}" @click=${() => app.openModels()}>
      <span class="light"></span> ${text}
    </button>`;
  return html`<span class="status ${tone}">
    <span class="light"></span>
    <span role="status">${text}</span>
    ${state.runningSince === null ? nothing : html`<span class="elapsed">${elapsed(Date.now() - state.runningSince)}</span>`}
  </span>`;
}

/** Usage of the session: tokens with the budget, the model's window, and cost. */
export function metersView(state: State): TemplateResult | typeof nothing {
  const { usage, session, settings, preferences, promptTokens } = state;
  if (usage === null || usage.calls === 0 || tourIn(session) !== null) return nothing;
  const used = usage.promptTokens + usage.completionTokens;
  return html`<span class="meters" role="group" aria-label=${t.meters}>
    <span
      class="meter"
      title="${t.tokensInOut(usage.promptTokens.toLocaleString(locale()), usage.completionTokens.toLocaleString(locale()))}; ${t.fromCache(usage.cachedPromptTokens.toLocaleString(locale()))}; ${t.calls(usage.calls)}"
    >
      <span>${t.tokens}</span>
      <span class="figure"
        >${preferences.tokenBudget === null ? short(used) : t.tokensOf(short(used), short(preferences.tokenBudget))}</span
      >
      ${preferences.tokenBudget === null ? nothing : bar(t.tokens, used, preferences.tokenBudget)}
    </span>
    ${
      promptTokens === null
        ? nothing
        : html`<span class="meter" title=${t.contextHint}>
            <span>${t.context}</span>
            <span class="figure">${t.tokensOf(short(promptTokens), short(settings.contextWindow))}</span>
            ${bar(t.context, promptTokens, settings.contextWindow)}
          </span>`
    }
    ${
      usage.costUsd === 0
        ? nothing
        : html`<span class="meter"
            ><span>${t.cost}</span><span class="figure">$${usage.costUsd.toFixed(4)}</span></span
          >`
    }
  </span>`;
}

/** Says that the context window of the model leaves no room for tests of pages. The window of a server can be raised. */
export function windowView({ settings, session }: State, app: App): TemplateResult | typeof nothing {
  const { contextWindow, where } = settings;
  if (!isConnected(settings) || contextWindow >= WINDOW_FOR_ALL_COMMANDS || tourIn(session) !== null)
    return nothing;
  const text = contextWindow < WINDOW_FOR_PAGES ? t.noPageTests : t.fewPageTests;
  return html`<span class="small-window" role="note">
    ${text(short(contextWindow))}
    ${where === 'server' ? html`<button type="button" class="quiet small" @click=${() => app.openModels()}>${t.raiseWindow}</button>` : nothing}
  </span>`;
}

function bar(label: string, value: number, most: number): TemplateResult {
  const share = Math.min(1, value / most);
  return html`<span
    class="gauge ${share > 0.8 ? 'high' : ''}"
    role="meter"
    aria-label=${label}
    aria-valuemin="0"
    aria-valuemax=${most}
    aria-valuenow=${Math.min(value, most)}
    ><span style="width: ${100 * share}%"></span
  ></span>`;
}

/** A short form of a count. */
function short(count: number): string {
  return new Intl.NumberFormat(locale(), {
    notation: 'compact',
    maximumFractionDigits: 1,
  }).format(count);
}

function status(state: State, app: App): { text: string; tone: 'busy' | 'ready' | 'asks' | 'rests' } {
  if (state.forking) return { text: t.forking, tone: 'busy' };
  if (state.looking) return { text: t.looking, tone: 'busy' };
  if (state.preparing !== null) return { text: preparingText(state.preparing), tone: 'busy' };
  if (state.download !== null && state.runningSince === null)
    return { text: downloadText(state.download), tone: 'busy' };
  if (state.opening) return { text: t.opening, tone: 'busy' };
  if (isElsewhere(state)) return { text: t.elsewhere, tone: 'rests' };
  const isUnopened = state.session !== null && state.usage === null && state.failure !== null;
  if (isUnopened) return { text: t.notOpened, tone: 'rests' };
  if (state.question !== null) return { text: t.waitingForYou, tone: 'asks' };
  if (state.runningSince === null)
    return state.paused === null
      ? isConnected(state.settings) || state.session !== null
        ? { text: t.ready, tone: 'ready' }
        : { text: t.noModel, tone: 'rests' }
      : { text: t.notFinished, tone: 'rests' };
  if (state.loading !== null)
    return {
      text:
        state.loading.phase === 'waiting'
          ? firstSentence(state.loading.text)
          : t.modelPhases[state.loading.phase](Math.floor(100 * state.loading.share)),
      tone: 'busy',
    };
  const step = state.conversation.entries.findLast((entry) => entry.kind === 'step');
  const running = step?.commands.find((command) => command.state === 'running');
  if (step !== undefined && running !== undefined) {
    const alone = step.role === roleNames(false)[0];
    const words = [commandText(running.name, false, app) ?? running.name, running.about].join(' ').trim();
    return { text: alone ? words : t.roleRunning(step.role, words), tone: 'busy' };
  }
  const reading = [...state.phases.values()].includes('classifying');
  return { text: reading ? t.reading : t.thinking, tone: 'busy' };
}

function preparingText(preparing: Preparing): string {
  return preparing.kind === 'chrome'
    ? t.preparing(Math.floor(100 * preparing.share))
    : t.readingWindow(preparing.server);
}

/** The progress of a download in a few words. */
export function downloadText({ phase, loaded, total }: ModelDownload): string {
  const percent = total > 1 ? Math.floor((100 * loaded) / total) : 0;
  return phase === 'download' ? t.modelPhases.downloading(percent) : t.modelPhases.loading(percent);
}

function firstSentence(text: string): string {
  return text.split('. ', 1)[0] ?? text;
}

function elapsed(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
