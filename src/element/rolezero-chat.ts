import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { toRoleZeroError, type RoleZeroError } from '../core/error.js';
import type { Question } from '../core/human.js';
import type { ClientSession } from '../client/session.js';
import { approvalsView } from './approvals-view.js';
import { otherConflictView } from './changes-view.js';
import { ChatController } from './chat.js';
import { composerView } from './composer.js';
import { downloadFile } from './download.js';
import { entriesView, interruptedView, olderView } from './entries-view.js';
import { noConversation, type ConversationView } from './followed-conversation.js';
import { loadMarkdown } from './markdown-view.js';
import { questionView } from './question-view.js';
import { RequestEditor } from './request-editor.js';
import { EndOfLog } from './scrolling.js';
import { SearchPanel } from './search-panel.js';
import { chatStyle } from './style.js';
import { endsWithCard, errorView, factsView, filesView, liveView } from './views.js';
import { allWords, ENGLISH_CHAT, type ChatWords } from './words.js';

/**
 * The conversation with a session as an element: requests, replies, thoughts, commands, questions, approvals and files, with a field for the
 * next request. Set `session`; the element does not close it.
 *
 * Parts for CSS: `log`, `request`, `reply`, `step`, `thought`, `command`, `finished`, `with-failures`, `warning`, `error`, `live`, `question`, `reason`, `disclosure`, `coverage`, `approve`, `deny`, `change-arguments`, `argument`, `approve-changed`, `approvals`, `approval`, `revoke`,
 * `option`, `answer`, `actions`, `edit`, `repeat`, `copy`, `version`, `version-before`, `version-after`, `queued`, `withdraw`, `attached`, `edited`, `edited-field`, `change`, `cancel`, `changes`, `show-changes`, `changed-file`, `diff`, `undo`, `redo`, `conflict`, `solve`, `cancel-undo`, `search`, `search-field`, `found`, `search-older`, `search-newer`, `search-close`, `open-search`, `files`, `file`, `interrupted`, `resume`, `older`, `composer`, `field`, `send`, `stop`, `attach`, `status`. Variables:
 * `--rolezero-accent`, `--rolezero-on-accent`, `--rolezero-surface`, `--rolezero-raised`, `--rolezero-text`, `--rolezero-muted`, `--rolezero-border`,
 * `--rolezero-danger`, `--rolezero-success`, `--rolezero-warning`, the last three and `accent` also with `-soft` for areas, `--rolezero-radius`, `--rolezero-font`.
 *
 * Slots: `start` and `end` add to the log; `step-ID` adds to the step of that id, such as actions, and `failure` to the error that ended the last
 * run; `composer-end` adds to the row of the field for requests. `files`, `interrupted` and `composer` replace the list of files, the offer to
 * continue, and the field.
 *
 * Events, each cancelable, which suppresses what the element would do: `rolezero-send` with the `text` and the `files` of a request in `detail`, which
 * then stay in the field; `rolezero-answer` with the `question` and the `text` of the answer;
 * `rolezero-file` with the `path` of the chosen file, which is then downloaded; `rolezero-error` with an `error` that is not part of a run, which is then shown.
 *
 * New entries are announced to screen readers, unless the element has the attribute `aria-live="off"`.
 *
 * @example
 * import 'rolezero/element';
 * document.querySelector('rolezero-chat').session = connect(makeWorker, { session: 'chat' });
 */
export class RoleZeroChat extends LitElement {
  static override readonly styles = chatStyle;
  static override readonly properties = {
    session: { attribute: false },
    roles: { attribute: false },
    words: { attribute: false },
    selected: { attribute: false },
    chosen: { state: true },
  };

  /** The session, or the promise of `connect`: if it rejects, its error is shown. Null: it is being opened. @default null */
  declare session: ClientSession | Promise<ClientSession> | null;
  /** Names of the roles to show, the one that receives the requests first. Set it before `session`. @default [] the one role, without its name */
  declare roles: readonly string[];
  /** Texts in another language, or other words; missing ones are English. @default {} */
  declare words: Partial<ChatWords>;
  /** Id of a step that is marked and scrolled into view: the `replyId` of its trace. @default null */
  declare selected: string | null;
  /** Files for the next request. */
  declare private chosen: readonly File[];
  #chat: ChatController | null = null;
  /** Why the session could not be opened. */
  #failure: RoleZeroError | null = null;
  #end: EndOfLog | null = null;
  /** What was shown at the last rendering. */
  #shown: ConversationView = noConversation;
  #shownQuestion: Question | null = null;
  #wasInterrupted = false;
  /** Restores the place of what is shown. */
  #restore: (() => void) | null = null;
  readonly #search = new SearchPanel({
    conversation: () => this.#view,
    showOlder: async () => this.#chat?.showOlder(),
    rendered: () => this.#rendered(),
    focus: (field) => this.#focusField(field),
    reveal: () => {
      this.#end?.follow(false);
      this.renderRoot.querySelector('.place.found > *')?.scrollIntoView({ block: 'center' });
    },
  });
  readonly #editor = new RequestEditor({
    chat: () => this.#chat,
    rendered: () => this.#rendered(),
    focus: (field) => this.#focusField(field),
    sent: () => this.#end?.follow(true),
    refused: (text) => (this.draft = { text, files: this.chosen }),
  });
  /** Id of the last question that the user has answered: it is open until the agent continues. */
  #answered: string | null = null;
  /** Text of the request that is being stored; the field has it until then, unless the user has typed the next one. */
  #sending: string | null = null;
  /** The next request was sent before that one was stored. */
  #sendsNext = false;
  /** A request was sent before the session was open. */
  #sendsWhenOpen = false;
  #texts = ENGLISH_CHAT;

  constructor() {
    super();
    this.session = null;
    this.roles = [];
    this.words = {};
    this.selected = null;
    this.chosen = [];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void loadMarkdown().catch(() => {}); // the first text tries again
    void this.#follow();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#leave();
    this.#end?.close();
    this.#end = null;
  }

  /** Moves the focus to the open question, otherwise to the field for requests. */
  override focus(options?: FocusOptions): void {
    const field = ':is(.question button, .question input, .composer textarea)';
    this.renderRoot.querySelector<HTMLElement>(field)?.focus(options);
  }

  /** What is in the field for requests. Set it after the first rendering, to fill the field in. */
  get draft(): { text: string; files: readonly File[] } {
    return { text: this.#field?.value ?? '', files: this.chosen };
  }

  set draft({ text, files }: { text: string; files: readonly File[] }) {
    if (this.#field) this.#field.value = text;
    this.chosen = files;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('session')) {
      if (changed.get('session') !== null) this.#sendsWhenOpen = this.#sendsNext = false; // for the session before
      this.#sending = null;
      void this.#follow();
    }
    if (changed.has('words')) this.#texts = allWords(this.words, (name) => this.#chat?.session.verbOf(name));
    const { older, shown } = this.#view;
    const isExtended = this.#shown.isOpen && older + shown > this.#shown.older + this.#shown.shown;
    this.#restore = isExtended ? (this.#end?.hold() ?? null) : null;
  }

  protected override updated(changed: PropertyValues<this>): void {
    const log = this.renderRoot.querySelector<HTMLElement>('.log');
    if (log === null) return;
    this.#end ??= new EndOfLog(log);
    const question = this.#openQuestion;
    const isInterrupted = this.#chat?.isInterrupted === true;
    const wantsAttention =
      (question !== null && question.id !== this.#shownQuestion?.id) ||
      (isInterrupted && !this.#wasInterrupted) ||
      this.#view.isOpen !== this.#shown.isOpen;
    if (this.#restore !== null) this.#restore();
    else if (wantsAttention) this.#end.follow(true);
    else this.#end.show();
    if (changed.has('selected') && this.selected !== null) {
      this.#end.follow(false);
      this.renderRoot.querySelector('.step.selected')?.scrollIntoView({ block: 'center' });
    }
    this.#shownQuestion = question;
    this.#wasInterrupted = isInterrupted;
    this.#shown = this.#view;
  }

  protected override render(): TemplateResult {
    const words = this.#texts;
    const view = this.#view;
    const question = this.#openQuestion;
    const problem = this.#failure ?? this.#chat?.state.problem ?? null;
    const files = this.#filesView(words);
    return html`
      ${this.#search.view(words)}
      <div
        class="log"
        part="log"
        role="log"
        aria-label=${words.conversation}
        aria-live=${this.getAttribute('aria-live') ?? 'polite'}
        tabindex="0"
      >
        <div class="entries">
          <slot name="start"></slot>
          ${olderView(view, words, () => this.#showOlder())}
          ${entriesView(view, {
            words,
            chat: this.#chat,
            editor: this.#editor,
            roles: this.roles,
            selected: this.selected,
            found: this.#search.place,
            files,
            hasOwnFiles: !this.#isFilled('files'),
          })}
          ${view.live === null ? nothing : liveView(view.live, words, this.roles.length < 2)}
          ${otherConflictView(this.#chat, words)} ${factsView(view.facts, words)}
          ${endsWithCard(view.entries, this.roles[0] ?? '') ? nothing : files}
          <slot name="end"></slot>
          ${problem === null ? nothing : errorView({ code: problem.code, text: problem.message }, words, nothing)}
          ${question === null ? nothing : questionView(question, words, (text) => void this.#answer(question, text))}
          ${this.#slotView('interrupted', () => (this.#chat?.isInterrupted === true ? interruptedView(words, () => void this.#chat?.resume()) : nothing))}
        </div>
      </div>
      ${approvalsView(this.#chat?.state.approvals ?? [], words, this.#chat?.session.viewing === false ? (id) => void this.#revoke(id) : null)}
      ${this.#slotView('composer', () => this.#composerView(words))}
    `;
  }

  /** Opens the search in the conversation, and moves the focus there. The page may call it for a shortcut of its own. */
  search(): Promise<void> {
    return this.#search.open();
  }

  /**
   * Undoes or repeats changes of files by their id, see `files.undo`, such as those of a step. When the user has changed the same lines
   * since, the log asks what to do. Resolves with the paths of these files.
   */
  async reverse(act: 'undo' | 'redo', id: string): Promise<string[]> {
    const paths = (await this.#chat?.reverse(act, id)) ?? [];
    if (paths.length === 0) return [];
    this.#end?.follow(false);
    await this.#rendered();
    const choice = this.renderRoot.querySelector<HTMLElement>('[part="solve"]');
    choice?.scrollIntoView({ block: 'center' });
    choice?.focus({ preventScroll: true });
    return paths;
  }

  async #revoke(id: string): Promise<void> {
    await this.#chat?.revoke(id);
    await this.updateComplete;
    // The button is gone: the next one or the field has the focus.
    const next = this.renderRoot.querySelector<HTMLElement>('[part="revoke"]') ?? this.#field;
    next?.focus();
  }

  /** A slot that the page may fill; otherwise it has the element's own content. */
  #slotView(name: string, own: () => unknown): TemplateResult {
    return html`<slot name=${name} @slotchange=${() => this.requestUpdate()}
      >${this.#isFilled(name) ? nothing : own()}</slot
    >`;
  }

  #isFilled(slot: string): boolean {
    return [...this.children].some((child) => child.slot === slot);
  }

  #filesView(words: ChatWords): TemplateResult {
    const { files = [] } = this.#chat?.state ?? {};
    return this.#slotView('files', () =>
      files.length === 0 ? nothing : filesView(files, words, (path) => void this.#openFile(path)),
    );
  }

  #composerView(words: ChatWords): TemplateResult {
    const run = this.#chat?.run;
    const opening = this.#failure === null ? words.opening : '';
    return composerView(
      {
        words,
        status: this.#view.isOpen ? (run?.activity ?? '') : opening,
        files: this.chosen,
        isRunning: run?.running === true,
        hasEntries: this.#view.entries.length > 0,
        isDisabled: this.#failure !== null,
      },
      {
        send: this.#send,
        write: () => void this.#chat?.prepare(),
        search: () => void this.search(),
        stop: () => run?.stop(),
        add: (files) => (this.chosen = [...this.chosen, ...files]),
        remove: (file) => (this.chosen = this.chosen.filter((each) => each !== file)),
      },
    );
  }

  #rendered(): Promise<unknown> {
    this.requestUpdate();
    return this.updateComplete;
  }

  #focusField(name: string): void {
    this.renderRoot.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();
  }

  get #field(): HTMLTextAreaElement | null {
    return this.renderRoot.querySelector('textarea[name="request"]');
  }

  get #view(): ConversationView {
    return this.#chat?.state.conversation ?? noConversation;
  }

  get #openQuestion(): Question | null {
    const question = this.#chat?.run.question ?? null;
    return question?.id === this.#answered ? null : question;
  }

  /** Shows the session, once it is open. */
  async #follow(): Promise<void> {
    const { session: source } = this;
    if (source === null || source !== this.#chat?.session) this.#leave();
    try {
      const session = await source;
      if (session === null || !this.isConnected || source !== this.session || this.#chat !== null) return;
      const listsFiles = !this.#isFilled('files');
      this.#chat = new ChatController(
        session,
        { roles: this.roles, listsFiles },
        {
          changed: () => this.#changed(),
          failed: (error) => this.#announce('rolezero-error', { error }),
        },
      );
    } catch (error) {
      if (source === this.session) this.#failure = toRoleZeroError(error);
    }
    this.requestUpdate();
  }

  #changed(): void {
    this.requestUpdate();
    if (!this.#sendsWhenOpen || !this.#view.isOpen) return;
    this.#sendsWhenOpen = false;
    this.#send();
  }

  #leave(): void {
    this.#chat?.close();
    this.#chat = null;
    this.#failure = null;
    this.#shown = noConversation;
  }

  readonly #send = (): void => {
    const chat = this.#chat;
    const { files } = this.draft;
    const text = this.draft.text.trim();
    if (text === '') return;
    if (this.#sending !== null) {
      this.#sendsNext = text !== this.#sending; // A second press of the same key sends nothing more.
      return;
    }
    const { isOpen } = this.#view;
    const question = this.#openQuestion;
    if (isOpen && question?.kind === 'question') {
      this.draft = { text: '', files };
      void this.#answer(question, text);
      return;
    }
    if (!this.#announce('rolezero-send', { text, files })) return;
    if (chat === null || !isOpen) {
      this.#sendsWhenOpen = this.#failure === null;
      return;
    }
    this.#end?.follow(true);
    void this.#store(chat, { text, files });
  };

  /** Sends what is in the field, and clears it when the request is stored: a refused one can be corrected. */
  async #store(
    chat: ChatController,
    { text, files }: { text: string; files: readonly File[] },
  ): Promise<void> {
    this.#sending = text;
    const isStored = await chat.send(text, files.length === 0 ? {} : { files });
    if (chat !== this.#chat) return;
    this.#sending = null;
    const { draft } = this;
    const others = draft.files.filter((file) => !files.includes(file));
    if (isStored && draft.text.trim() === text) this.draft = { text: '', files: others };
    else if (isStored && others.length < draft.files.length) this.draft = { text: draft.text, files: others };
    if (!this.#sendsNext) return;
    this.#sendsNext = false;
    this.#send();
  }

  async #answer(question: Question, text: string): Promise<void> {
    this.#answered = question.id;
    this.requestUpdate();
    if (!this.#announce('rolezero-answer', { question, text })) return;
    if ((await this.#chat?.answer(text)) === false) this.#answered = null;
    this.requestUpdate();
  }

  async #showOlder(): Promise<void> {
    await this.#chat?.showOlder();
    await this.updateComplete;
  }

  async #openFile(path: string): Promise<void> {
    if (!this.#announce('rolezero-file', { path })) return;
    const bytes = (await this.#chat?.readFile(path)) ?? null;
    if (bytes === null) return;
    downloadFile(path.split('/').at(-1) ?? 'file', bytes);
  }

  /** Returns false when the page does it itself. */
  #announce(type: string, detail: object): boolean {
    return this.dispatchEvent(
      new CustomEvent(type, { detail, cancelable: true, bubbles: true, composed: true }),
    );
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'rolezero-chat': RoleZeroChat;
  }
}
