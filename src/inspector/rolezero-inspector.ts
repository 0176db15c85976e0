import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { toRoleZeroError, type RoleZeroError } from '../core/error.js';
import type { StepTrace } from '../core/events.js';
import type { ClientSession } from '../client/session.js';
import { downloadFile } from '../element/download.js';
import { isolated } from '../element/isolated.js';
import {
  InspectedSession,
  type StorageFacts,
  type Inspected,
  untrustedSources,
} from './inspected-session.js';
import { costText, durationText, numberText, bytesText, clockTime } from './numbers.js';
import { stepDetails, stepTitle, tokensText } from './step-view.js';
import { inspectorStyle } from './style.js';
import { ENGLISH_INSPECTOR, type InspectorWords } from './words.js';

const TABS = ['steps', 'approvals', 'storage'] as const;
type TabName = (typeof TABS)[number];

/** Maximum number of shown characters of a request above its steps. */
const MAX_REQUEST_PREVIEW = 80;

/**
 * What a session has done, for developers: its steps with the prompts as sent, the replies as received, tokens and cache; approvals and
 * labels; storage. A step can be replayed. Set `session`; the element does not close it.
 *
 * Parts for CSS: `tab`, `totals`, `step`, `step-details`, `replay`, `call`, `tokens`, `prompt`, `reply`, `command`, `approval`, `revoke`,
 * `decision`, `source`, `storage`, `export`, `problem`. Variables: those of `<rolezero-chat>`.
 *
 * @example
 * import 'rolezero/inspector';
 * document.querySelector('rolezero-inspector').session = session;
 */
export class RoleZeroInspector extends LitElement {
  static override readonly styles = inspectorStyle;
  static override readonly properties = {
    session: { attribute: false },
    roles: { attribute: false },
    words: { attribute: false },
    tab: { state: true },
    selected: { state: true },
  };

  /** The session, or the promise of `connect`: if it rejects, its error is shown. @default null */
  declare session: ClientSession | Promise<ClientSession> | null;
  /** Names of the roles to show. Set it before `session`. @default [] the one that receives the requests */
  declare roles: readonly string[];
  /** Texts in another language, or other words; missing ones are English. @default {} */
  declare words: Partial<InspectorWords>;
  declare private tab: TabName;
  /** The step that is shown; null for the newest. */
  declare private selected: string | null;
  #inspected: InspectedSession | null = null;
  /** Why the session could not be opened. */
  #failure: RoleZeroError | null = null;

  constructor() {
    super();
    this.session = null;
    this.roles = [];
    this.words = {};
    this.tab = 'steps';
    this.selected = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#follow();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#leave();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('session')) void this.#follow();
  }

  protected override render(): TemplateResult {
    const words = { ...ENGLISH_INSPECTOR, ...this.words };
    const problem = this.#failure ?? this.#inspected?.state.problem ?? null;
    return html`<div class="bar">
        <div
          class="tabs"
          role="tablist"
          aria-label=${words.inspector}
          @keydown=${(event: KeyboardEvent) => this.#move(event)}
        >
          ${TABS.map(
            (tab) =>
              html`<button
                type="button"
                role="tab"
                id=${`tab-${tab}`}
                part="tab"
                aria-controls="panel"
                aria-selected=${tab === this.tab ? 'true' : 'false'}
                tabindex=${tab === this.tab ? '0' : '-1'}
                @click=${() => (this.tab = tab)}
              >
                ${words[tab]}
              </button>`,
          )}
        </div>
        ${this.#totalsView(words)}
      </div>
      ${problem === null ? nothing : html`<p class="problem" part="problem" role="alert">${problem.message}</p>`}
      <div
        class=${this.tab === 'steps' ? 'body' : 'part'}
        role="tabpanel"
        id="panel"
        aria-labelledby=${`tab-${this.tab}`}
      >
        ${this.#panelView(words)}
      </div>`;
  }

  #totalsView(words: InspectorWords): TemplateResult | typeof nothing {
    const usage = this.#inspected?.state.usage ?? null;
    if (usage === null) return nothing;
    const facts = [words.calls(usage.calls), tokensText(usage, words), costText(usage.costUsd)];
    return html`<small part="totals">${facts.filter((fact) => fact !== '').join(' · ')}</small>`;
  }

  #panelView(words: InspectorWords): TemplateResult | typeof nothing {
    const inspected = this.#inspected;
    if (inspected === null)
      return this.#failure === null ? html`<p class="facts">${words.opening}</p>` : nothing;
    const { session, state } = inspected;
    const mayChange = session.running === null && !session.viewing;
    switch (this.tab) {
      case 'steps':
        return this.#stepsView(inspected, words, mayChange);
      case 'approvals':
        return approvalsTab(state, words, session.viewing ? null : (id) => void inspected.revoke(id));
      case 'storage':
        return storageTab(state.stored, words, () => void this.#export(session));
    }
  }

  #stepsView(inspected: InspectedSession, words: InspectorWords, mayChange: boolean): TemplateResult {
    const { state } = inspected;
    const { steps } = state;
    const shown = steps.find((step) => stepKey(step) === this.selected) ?? steps.at(-1);
    if (shown === undefined) return html`<p class="facts">${words.noSteps}</p>`;
    const requestOf = ({ requirement }: StepTrace): string => state.messages.get(requirement)?.content ?? '';
    return html`<ol class="steps">
        ${steps.map((step, index) => {
          const request = steps[index - 1]?.requirement === step.requirement ? '' : requestOf(step);
          const tokens = step.calls.reduce((sum, call) => sum + call.promptTokens + call.completionTokens, 0);
          return html`<li>
            ${request === '' ? nothing : html`<p class="request" title=${request.slice(0, 1_000)}>${request.slice(0, MAX_REQUEST_PREVIEW)}</p>`}
            <button
              type="button"
              part="step"
              class=${step.commands.some(({ ok }) => !ok) ? 'failed' : ''}
              aria-current=${step === shown ? 'true' : 'false'}
              @click=${() => (this.selected = stepKey(step))}
            >
              ${stepTitle(step, words)}
              <small
                >${durationText(step.durationMs)} ·
                ${numberText(tokens)}${tokens === 0 ? '' : ' tokens'}</small
              >
            </button>
          </li>`;
        })}
      </ol>
      <div class="details">
        ${keyed(
          stepKey(shown), // An open prompt belongs to its step.
          stepDetails(shown, state, words, {
            loadPrompt: (hash) => void inspected.loadPrompt(hash),
            replay: mayChange ? () => this.#replay(inspected, shown) : null,
          }),
        )}
      </div>`;
  }

  #replay(inspected: InspectedSession, step: StepTrace): void {
    this.selected = null; // The newest step is new.
    void inspected.replay(step);
  }

  async #export(session: ClientSession): Promise<void> {
    await this.#inspected?.attempt(async () => {
      const document = JSON.stringify(await session.export());
      downloadFile(`${session.name}.json`, new TextEncoder().encode(document));
    });
  }

  /** Arrow keys move from tab to tab. */
  #move(event: KeyboardEvent): void {
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (way === undefined) return;
    event.preventDefault();
    this.tab = TABS[(TABS.indexOf(this.tab) + way + TABS.length) % TABS.length] ?? 'steps';
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<HTMLElement>(`#tab-${this.tab}`)?.focus(),
    );
  }

  /** Shows the session, once it is open. */
  async #follow(): Promise<void> {
    const { session: source } = this;
    if (source === null || source !== this.#inspected?.session) this.#leave();
    try {
      const session = await source;
      if (session === null || !this.isConnected || source !== this.session || this.#inspected !== null)
        return;
      this.#inspected = new InspectedSession(session, this.roles, () => this.requestUpdate());
    } catch (error) {
      if (source === this.session) this.#failure = toRoleZeroError(error);
    }
    this.requestUpdate();
  }

  #leave(): void {
    this.#inspected?.close();
    this.#inspected = null;
    this.#failure = null;
  }
}

/** Identifies a step among those of all roles. */
function stepKey({ role, startedAt, step }: StepTrace): string {
  return `${role} ${startedAt} ${step}`;
}

declare global {
  interface HTMLElementTagNameMap {
    'rolezero-inspector': RoleZeroInspector;
  }
}

/** What is stored for the session, and of the whole site. */
function storageTab(
  stored: StorageFacts | null,
  words: InspectorWords,
  exportAll: () => void,
): TemplateResult {
  if (stored === null) return html`<p class="part facts">${words.opening}</p>`;
  const { files, space, isPersisted } = stored;
  const { storage, history, memories } = space;
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return html`<div class="part">
    <ul part="storage">
      <li>${words.files(files.length, bytesText(bytes))}</li>
      <li>${words.history(history.entries, bytesText(history.bytes))}</li>
      <li>${words.memories(memories.count, memories.pinned)}</li>
      ${storage === null ? nothing : html`<li>${words.used(bytesText(storage.usage), bytesText(storage.quota))}</li>`}
      ${isPersisted === null ? nothing : html`<li>${isPersisted ? words.persisted : words.notPersisted}</li>`}
    </ul>
    <button type="button" part="export" @click=${exportAll}>${words.export}</button>
  </div>`;
}

/** What the user has allowed, the decisions about commands, and the labels of what was read. */
function approvalsTab(
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
            <small>${clockTime(startedAt)}</small> ${role} <code>${name}</code>: ${words.decision(permission)}
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
