import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.js';
import { TABS, type State, type Tab } from '../state/app-state.js';
import { t } from '../text/index.js';
import { filesView } from './files.js';
import { icon, type IconName } from './icons.js';
import { memoryView } from './memory.js';
import { planView } from './plan.js';
import { previewView } from './preview.js';
import { teamView } from './team.js';
import { terminalView } from './terminal.js';
import { timelineView } from './timeline.js';

const ICONS: Record<Tab, IconName> = {
  plan: 'list',
  files: 'file',
  preview: 'eye',
  terminal: 'terminal',
  memory: 'memory',
  team: 'people',
  timeline: 'clock',
};

/** The workbench, one part at a time. */
export function workView(state: State, app: App): TemplateResult {
  return html`<section class="work pane" aria-label=${t.workbench}>
    <div
      class="tabs"
      role="tablist"
      aria-label=${t.workbench}
      @keydown=${(event: KeyboardEvent) => move(event, state.tab, app)}
    >
      ${TABS.map(
        (tab) =>
          html`<button
            type="button"
            role="tab"
            id="tab-${tab}"
            aria-controls="panel-${tab === 'preview' ? 'preview' : 'open'}"
            aria-selected=${tab === state.tab ? 'true' : 'false'}
            tabindex=${tab === state.tab ? '0' : '-1'}
            @click=${() => app.showTab(tab)}
          >
            ${icon(ICONS[tab])} <span>${t.panes[tab]}</span>${count(state, tab)}
          </button>`,
      )}
    </div>
    ${followView(state, app)}
    <div class="panels">
      <div
        class="panel ${state.tab}"
        role="tabpanel"
        id="panel-open"
        aria-labelledby="tab-${state.tab}"
        tabindex=${state.tab === 'plan' ? '0' : nothing}
        ?hidden=${state.tab === 'preview'}
      >
        ${panel(state, app)}
      </div>
      <div
        class="panel preview ${state.tab === 'preview' ? '' : 'unseen'}"
        role="tabpanel"
        id="panel-preview"
        aria-labelledby="tab-preview"
        ?inert=${state.tab !== 'preview'}
      >
        ${previewView(state, app)}
      </div>
    </div>
  </section>`;
}

/** Returns to the agent's work, after the user has looked at another part. */
function followView(
  { tabIsOwn, newestTab, tab, runningSince }: State,
  { control }: App,
): TemplateResult | typeof nothing {
  if (!tabIsOwn || newestTab === null || newestTab === tab || runningSince === null) return nothing;
  return html`<button type="button" class="small follow-work" @click=${() => control.followAgain()}>
    ${icon('eye')} ${t.followWork(t.panes[newestTab])}
  </button>`;
}

function panel(state: State, app: App): TemplateResult | typeof nothing {
  switch (state.tab) {
    case 'plan':
      return planView(state.plan);
    case 'files':
      return filesView(state, app);
    case 'terminal':
      return terminalView(state, app);
    case 'memory':
      return memoryView(state, app);
    case 'team':
      return teamView(state);
    case 'timeline':
      return timelineView(state, app);
    case 'preview':
      return nothing;
  }
}

/** Arrow keys move from tab to tab, as the ARIA pattern requires. */
function move(event: KeyboardEvent, tab: Tab, app: App): void {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const next =
    event.key === 'Home'
      ? TABS[0]
      : event.key === 'End'
        ? TABS.at(-1)
        : by === undefined
          ? undefined
          : TABS.at((TABS.indexOf(tab) + by) % TABS.length);
  if (next === undefined) return;
  event.preventDefault();
  app.showTab(next);
  requestAnimationFrame(() => requestAnimationFrame(() => document.getElementById(`tab-${next}`)?.focus()));
}

function count({ plan, files, memories, steps }: State, tab: Tab): TemplateResult | typeof nothing {
  const tasks = plan?.tasks ?? [];
  const text = {
    plan: tasks.length === 0 ? '' : `${tasks.filter((task) => task.isFinished).length}/${tasks.length}`,
    files: some(files.filter(({ type }) => type === 'file').length),
    preview: '',
    terminal: '',
    memory: memories.query === '' ? some(memories.items.length) : '',
    team: '',
    timeline: some(steps.length),
  }[tab];
  return text === '' ? nothing : html`<span class="count">${text}</span>`;
}

function some(count: number): string {
  return count === 0 ? '' : String(count);
}
