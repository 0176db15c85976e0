import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.js';
import type { MoreTab, State, Tab } from '../state/app-state.js';
import { MORE } from '../state/more-tabs.js';
import { t } from '../text/index.js';
import { filesView } from './files.js';
import { reachedBy } from './arrow-keys.js';
import { icon } from './icons.js';
import { parts } from './late-views.js';
import { previewView } from './preview.js';
import { splitterView } from './splitter.js';
import { terminalView } from './terminal.js';

/** The tabs of the workbench. "More" contains a second row of tabs. */
const MAIN = ['preview', 'files', 'terminal', 'more'] as const;
type MainTab = (typeof MAIN)[number];

/** The workbench, one part at a time. */
export function workView(state: State, app: App): TemplateResult {
  const selected = mainTab(state.tab);
  return html`<section class="work pane" aria-label=${t.workbench}>
    ${splitterView()}
    ${tabList(MAIN, {
      label: t.workbench,
      selected,
      controls: (tab) => (tab === 'preview' ? 'panel-preview' : 'panel-open'),
      count: (tab) => count(state, tab),
      show: (tab) => app.showTab(tab === 'more' ? app.store.state.moreTab : tab),
    })}
    ${followView(state, app)}
    <div class="panels">
      <div
        class="panel ${selected}"
        role="tabpanel"
        id="panel-open"
        aria-labelledby="tab-${selected}"
        ?hidden=${selected === 'preview'}
      >
        ${panel(state, app)}
      </div>
      <div
        class="panel preview ${selected === 'preview' ? '' : 'unseen'}"
        role="tabpanel"
        id="panel-preview"
        aria-labelledby="tab-preview"
        ?inert=${selected !== 'preview'}
      >
        ${previewView(state, app)}
      </div>
    </div>
  </section>`;
}

function mainTab(tab: Tab): MainTab {
  return MAIN.find((name) => name === tab) ?? 'more';
}

/** Returns to the agent's work, after the user has looked at another part. */
function followView(
  { tabIsOwn, newestTab, tab, runningSince }: State,
  { control }: App,
): TemplateResult | typeof nothing {
  if (!tabIsOwn || newestTab === null || newestTab === tab || runningSince === null) return nothing;
  return html`<button type="button" class="small follow-work" @click=${() => control.workbench.followAgain()}>
    ${icon('eye')} ${t.followWork(t.panes[newestTab])}
  </button>`;
}

function panel(state: State, app: App): TemplateResult | typeof nothing {
  switch (state.tab) {
    case 'files':
      return filesView(state, app);
    case 'terminal':
      return terminalView(state, app);
    case 'preview':
      return nothing;
    default:
      return moreView(state, state.tab, app);
  }
}
/** The parts that fewer users need, with tabs of their own. */
function moreView(state: State, selected: MoreTab, app: App): TemplateResult {
  return html`
    ${tabList(MORE, {
      label: t.panes.more,
      selected,
      controls: () => 'panel-more',
      count: (tab) => count(state, tab),
      show: (tab) => app.showTab(tab),
      isSecond: true,
    })}
    <div
      class="part ${selected}"
      role="tabpanel"
      id="panel-more"
      aria-labelledby="tab-${selected}"
      tabindex="0"
    >
      ${parts?.partView(selected, state, app)}
    </div>
  `;
}

interface TabList<Name> {
  label: string;
  selected: Name;
  /** The id of the panel of a tab. */
  controls: (tab: Name) => string;
  count: (tab: Name) => string;
  show: (tab: Name) => void;
  /** The row is inside the panel of another row. */
  isSecond?: true;
}

function tabList<Name extends MainTab | MoreTab>(
  tabs: readonly Name[],
  { label, selected, controls, count, show, isSecond }: TabList<Name>,
): TemplateResult {
  return html`<div
    class="tabs ${isSecond === true ? 'second' : ''}"
    role="tablist"
    aria-label=${label}
    @keydown=${(event: KeyboardEvent) => move(event, tabs, show)}
  >
    ${tabs.map((tab) => {
      const text = count(tab);
      return html`<button
        type="button"
        role="tab"
        id="tab-${tab}"
        aria-controls=${controls(tab)}
        aria-selected=${tab === selected ? 'true' : 'false'}
        tabindex=${tab === selected ? '0' : '-1'}
        @click=${() => show(tab)}
      >
        ${t.panes[tab]}${text === '' ? nothing : html`<span class="count">${text}</span>`}
      </button>`;
    })}
  </div>`;
}

/**
 * Arrow keys move from tab to tab, as the ARIA pattern requires. They start at the focused tab: a key may be pressed
 * before the selected one is rendered.
 */
function move<Name extends string>(
  event: KeyboardEvent,
  tabs: readonly Name[],
  show: (tab: Name) => void,
): void {
  const at = tabs.findIndex((tab) => (event.target as Element).id === `tab-${tab}`);
  const next = reachedBy(event.key, tabs, at);
  if (next === undefined) return;
  event.preventDefault();
  show(next);
  document.getElementById(`tab-${next}`)?.focus();
}

/** The number beside the name of a tab; empty for none. */
function count({ files, memories, notes, conversation }: State, tab: MainTab | MoreTab): string {
  switch (tab) {
    case 'files':
      return some(files.filter(({ type }) => type === 'file').length);
    case 'memory':
      return memories.query === '' ? some(memories.items.length) : '';
    case 'notes':
      return some(notes.items.length);
    case 'timeline':
      return some(conversation.steps.length);
    default:
      return '';
  }
}

function some(count: number): string {
  return count === 0 ? '' : String(count);
}
