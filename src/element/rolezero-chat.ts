import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import type { ClientSession } from '../client/session.js';
import { toRoleZeroError } from '../core/error.js';
import { Chat, type ChatState } from './chat.js';
import { style } from './style.js';
import { entryView, questionView } from './views.js';
import { ENGLISH, type ChatWords } from './words.js';

/** In px. The log follows its end while the user is at most this far from it. */
const NEAR_END = 80;

/**
 * The conversation with a session as an element: requests, replies, thoughts, commands, questions, approvals and files, with a field for the
 * next request. Set `session`; the element does not close it.
 *
 * Parts for CSS: `log`, `request`, `reply`, `thought`, `command`, `error`, `question`, `approve`, `deny`, `option`, `answer`, `files`, `file`, `composer`,
 * `older`, `field`, `send`, `stop`, `attach`, `resume`, `status`. Variables: `--rolezero-accent`, `--rolezero-on-accent`, `--rolezero-surface`, `--rolezero-raised`, `--rolezero-text`,
 * `--rolezero-muted`, `--rolezero-border`, `--rolezero-danger`, `--rolezero-radius`, `--rolezero-font`.
 *
 * The event `rolezero-file` says that a file was chosen; `detail.path` is its path in the session. `preventDefault()` suppresses the download.
 *
 * @example
 * import 'rolezero/element';
 * document.querySelector('rolezero-chat').session = connect(makeWorker, { session: 'chat' });
 */
export class RoleZeroChat extends LitElement {
  static override readonly styles = style;
  static override readonly properties = {
    session: { attribute: false },
    words: { attribute: false },
    chosen: { state: true },
  };

  /** The session, or the promise of `connect`: if it rejects, its error is shown. Null: it is being opened. @default null */
  declare session: ClientSession | Promise<ClientSession> | null;
  /** Texts in another language, or other words; missing ones are English. @default {} */
  declare words: Partial<ChatWords>;
  /** Files for the next request. */
  declare private chosen: readonly File[];
  #chat: Chat | null = null;
  /** Why the session could not be opened. */
  #failure = '';
  #isAtEnd = true;
  /** In px, from the shown part of the log to its end, before the last rendering. */
  #fromEnd = 0;
  /** Number of earlier entries that are rendered. */
  #shownOlder = 0;
  /** A request was sent before the session was open. */
  #sendsWhenOpen = false;
  #texts = ENGLISH;

  constructor() {
    super();
    this.session = null;
    this.words = {};
    this.chosen = [];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#follow();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#leave();
  }

  /** Moves the focus to the field for requests. */
  override focus(options?: FocusOptions): void {
    this.renderRoot.querySelector('textarea')?.focus(options);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('session')) void this.#follow();
    if (changed.has('words')) this.#texts = { ...ENGLISH, ...this.words };
    const log = this.#log;
    if (log === null) return;
    this.#fromEnd = log.scrollHeight - log.scrollTop;
    this.#isAtEnd = this.#fromEnd - log.clientHeight < NEAR_END;
  }

  protected override updated(): void {
    const log = this.#log;
    if (log === null) return;
    const { older = 0 } = this.#chat?.state ?? {};
    if (older > this.#shownOlder) log.scrollTop = log.scrollHeight - this.#fromEnd;
    else if (this.#isAtEnd) log.scrollTop = log.scrollHeight;
    this.#shownOlder = older;
  }

  protected override render(): TemplateResult {
    const words = this.#texts;
    const state = this.#chat?.state;
    const { entries = [], files = [], older = 0 } = state ?? {};
    const question = this.#chat?.run.question ?? null;
    return html`
      <div class="log" part="log" role="log" tabindex="0">
        ${state?.hasOlder === true ? this.#older(state, words) : nothing}
        ${repeat(
          entries,
          (_, index) => index - older,
          (entry) => guard([entry, words], () => entryView(entry, words)),
        )}
        ${this.#failure === '' ? nothing : entryView({ kind: 'error', text: this.#failure }, words)}
        ${question === null ? nothing : questionView(question, words, (text) => void this.#chat?.answer(text))}
        ${this.#interrupted(words)} ${files.length === 0 ? nothing : this.#files(files, words)}
      </div>
      ${this.#composer(words)}
    `;
  }

  #older({ isReadingOlder }: ChatState, words: ChatWords): TemplateResult {
    return html`<div class="row">
      <button
        type="button"
        part="older"
        aria-busy=${isReadingOlder ? 'true' : 'false'}
        @click=${() => void this.#chat?.showOlder()}
      >
        ${words.showOlder}
      </button>
    </div>`;
  }

  get #log(): HTMLElement | null {
    return this.renderRoot.querySelector('.log');
  }

  /** Shows the session, once it is open. */
  async #follow(): Promise<void> {
    const { session: source } = this;
    if (source === null || source !== this.#chat?.session) this.#leave();
    try {
      const session = await source;
      if (session === null || !this.isConnected || source !== this.session || this.#chat !== null) return;
      this.#chat = new Chat(session, () => this.#changed());
    } catch (error) {
      if (source === this.session) this.#failure = toRoleZeroError(error).message;
    }
    this.requestUpdate();
  }

  #changed(): void {
    this.requestUpdate();
    if (!this.#sendsWhenOpen || this.#chat?.state.isOpen !== true) return;
    this.#sendsWhenOpen = false;
    this.#submit();
  }

  #leave(): void {
    this.#chat?.close();
    this.#chat = null;
    this.#failure = '';
  }

  #interrupted(words: ChatWords): TemplateResult | typeof nothing {
    const run = this.#chat?.run;
    if (run === undefined || run.running || !run.resumable || run.question !== null) return nothing;
    return html`<div class="interrupted" part="interrupted">
      ${words.interrupted}
      <div class="row">
        <button type="button" class="main" part="resume" @click=${() => void this.#chat?.resume()}>
          ${words.resume}
        </button>
      </div>
    </div>`;
  }

  #files(files: readonly string[], words: ChatWords): TemplateResult {
    return html`<div class="row" part="files" role="group" aria-label=${words.files}>
      ${files.map(
        (path) =>
          html`<button
            type="button"
            part="file"
            aria-label=${words.download(path)}
            @click=${() => void this.#openFile(path)}
          >
            <bdi>${path}</bdi>
          </button>`,
      )}
    </div>`;
  }

  #composer(words: ChatWords): TemplateResult {
    const run = this.#chat?.run;
    const isOpen = this.#chat?.state.isOpen === true;
    return html`<form
      class="composer"
      part="composer"
      @submit=${this.#submit}
      @drop=${this.#drop}
      @dragover=${allowDrop}
    >
      <span class="status" part="status" role="status"
        >${isOpen ? (run?.activity ?? '') : this.#failure === '' ? words.opening : ''}</span
      >
      ${
        this.chosen.length === 0
          ? nothing
          : html`<div class="row">
              ${this.chosen.map(
                (file) =>
                  html`<button
                    type="button"
                    aria-label=${words.remove(file.name)}
                    @click=${() => (this.chosen = this.chosen.filter((each) => each !== file))}
                  >
                    <bdi>${file.name}</bdi> <span aria-hidden="true">✕</span>
                  </button>`,
              )}
            </div>`
      }
      <div class="row">
        <textarea
          name="request"
          part="field"
          rows="1"
          aria-label=${words.placeholder}
          placeholder=${words.placeholder}
          @keydown=${this.#key}
          @paste=${this.#paste}
        ></textarea>
        <input class="hidden" type="file" multiple tabindex="-1" aria-hidden="true" @change=${this.#choose} />
        <button
          type="button"
          part="attach"
          aria-label=${words.attach}
          title=${words.attach}
          @click=${this.#attach}
        >
          <span aria-hidden="true">+</span>
        </button>
        ${
          run?.running === true
            ? html`<button type="button" part="stop" @click=${() => run.stop()}>${words.stop}</button>`
            : html`<button type="submit" class="main" part="send" ?disabled=${this.#failure !== ''}>
                ${words.send}
              </button>`
        }
      </div>
    </form>`;
  }

  readonly #submit = (event?: Event): void => {
    event?.preventDefault();
    const field = this.renderRoot.querySelector('textarea');
    const chat = this.#chat;
    const text = field?.value.trim() ?? '';
    if (field === null || text === '' || chat?.run.running === true) return;
    if (chat?.state.isOpen !== true) {
      this.#sendsWhenOpen = this.#failure === '';
      return;
    }
    field.value = '';
    if (chat.run.question?.kind === 'question') {
      void chat.answer(text);
      return;
    }
    const files = this.chosen;
    this.chosen = [];
    this.#isAtEnd = true;
    void chat.send(text, files.length === 0 ? {} : { files });
  };

  readonly #key = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    if (matchMedia('(pointer: coarse)').matches && !event.ctrlKey && !event.metaKey) return; // a new line
    this.#submit(event);
  };

  readonly #attach = (): void => this.renderRoot.querySelector<HTMLInputElement>('[type="file"]')?.click();

  readonly #choose = (event: Event): void => {
    const field = event.currentTarget as HTMLInputElement;
    this.#add(field.files);
    field.value = '';
  };

  readonly #drop = (event: DragEvent): void => {
    event.preventDefault();
    this.#add(event.dataTransfer?.files);
  };

  readonly #paste = (event: ClipboardEvent): void => {
    const files = event.clipboardData?.files;
    if (files === undefined || files.length === 0) return;
    event.preventDefault();
    this.#add(files);
  };

  #add(files: FileList | null | undefined): void {
    this.chosen = [...this.chosen, ...(files ?? [])];
  }

  async #openFile(path: string): Promise<void> {
    const isHandled = !this.dispatchEvent(
      new CustomEvent('rolezero-file', { detail: { path }, cancelable: true, bubbles: true, composed: true }),
    );
    if (isHandled || this.#chat === null) return;
    const bytes = await this.#chat.readFile(path);
    if (bytes === null) return;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([bytes as BlobPart]));
    link.download = path.split('/').at(-1) ?? 'file';
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }
}

function allowDrop(event: DragEvent): void {
  if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault();
}

declare global {
  interface HTMLElementTagNameMap {
    'rolezero-chat': RoleZeroChat;
  }
}
