import type { RoleZeroChat } from 'rolezero/element';
import { keep } from './state/keep.js';

/** What is in the field for requests. */
export type Draft = RoleZeroChat['draft'];

export const NO_DRAFT: Draft = { text: '', files: [] };

const KEY = 'rolezero-demo:drafts';
/** Maximum number of drafts; the oldest is dropped. */
const MAX_DRAFTS = 20;
/** Maximum number of stored characters of a draft: a longer one is lost with a reload. */
const MAX_TEXT = 50_000;

/** The field for requests. Each session, and the start page, has a draft of its own; a reload of the tab loses only its files. */
export class DraftControl {
  /** By session, the newest last; that of the start page has an empty name. */
  readonly #drafts: Map<string, Draft>;
  /** The session whose draft is in the field; null for none. */
  #shown: string | null = null;

  constructor(private readonly storage: Storage) {
    this.#drafts = new Map(stored(storage).map(([session, text]) => [session, { text, files: [] }]));
  }

  get current(): Draft {
    return field()?.draft ?? NO_DRAFT;
  }

  fillIn(draft: Draft): void {
    const chat = field();
    if (chat === null) return;
    chat.draft = draft;
    this.keep();
  }

  /** Keeps what is in the field. Call it before the field shows another session. */
  keep(): void {
    if (this.#shown === null || field() === null) return;
    const { text, files } = this.current;
    this.#drafts.delete(this.#shown);
    if (text.trim() !== '' || files.length > 0) this.#drafts.set(this.#shown, { text, files });
    for (const session of [...this.#drafts.keys()].slice(0, -MAX_DRAFTS)) this.#drafts.delete(session);
  }

  /** Fills in the draft of a session once its field is shown; null for the start page. */
  show(session: string | null): void {
    const chat = field();
    const name = session ?? '';
    if (chat === null) this.#shown = null;
    if (chat === null || name === this.#shown) return;
    this.#shown = name;
    void chat.updateComplete.then(() => {
      if (name === this.#shown) chat.draft = this.#drafts.get(name) ?? NO_DRAFT;
    });
  }

  /** Drops the draft of a deleted session. */
  forget(session: string): void {
    this.#drafts.delete(session);
    if (this.#shown === session) this.#shown = null;
  }

  /** Stores the texts. Call it when the page is hidden: it may not return. */
  save(): void {
    this.keep();
    const texts = [...this.#drafts].map(([session, { text }]) => [session, text] as const);
    keep(this.storage, KEY, JSON.stringify(texts.filter(([, { length }]) => length <= MAX_TEXT)));
  }
}

/** The conversation whose field is shown; null while something else takes the place of the field. */
function field(): RoleZeroChat | null {
  return document.querySelector('rolezero-chat:not(:has(> [slot="composer"]))');
}

/** Reads the drafts; what another program wrote is ignored. */
function stored(storage: Storage): [session: string, text: string][] {
  try {
    const entries: unknown = JSON.parse(storage.getItem(KEY) ?? '[]');
    return Array.isArray(entries) ? entries.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function isEntry(entry: unknown): entry is [string, string] {
  return Array.isArray(entry) && typeof entry[0] === 'string' && typeof entry[1] === 'string';
}
