import type { QueuedRequest } from '../core/queue.js';
import type { ChatController } from './chat.js';
import type { RequestActions, WaitingActions } from './request-view.js';

/** What the editor needs of the element. */
export interface EditorHost {
  chat: () => ChatController | null;
  /** Resolves when the element has been rendered again. */
  rendered: () => Promise<unknown>;
  /** Moves the focus to the field of the changed request, or to that for requests. */
  focus: (field: 'changed' | 'request') => void;
  /** A request is sent. */
  sent: () => void;
  /** A change was refused: its words go to the field for requests. */
  refused: (text: string) => void;
}

/** Changes requests of the conversation: those that were answered, and those that wait. */
export class RequestEditor {
  /** Id of the request that is being changed. */
  #edited: string | null = null;
  /** It was waiting when the user began to change it. */
  #wasWaiting = false;

  constructor(private readonly host: EditorHost) {}

  /** Id of the request that is being changed; null for none. */
  get edited(): string | null {
    return this.#edited;
  }

  /** Returns what the user can do with a request; null where nothing can be changed. */
  actionsOf(id: string, canChange: boolean): RequestActions | WaitingActions | null {
    const chat = this.host.chat();
    if (chat === null) return null;
    const { queued, running } = chat.run;
    const isEdited = id === this.#edited;
    const isWaiting = isQueued(queued, id);
    const edit = (begins: boolean): void => void this.#edit(begins ? id : null, isWaiting);
    if (isWaiting || (isEdited && this.#wasWaiting))
      return {
        ...{ isEdited, isRunning: running, isRead: !isWaiting, edit },
        change: (text) => void this.#revise(id, text),
        withdraw: () => void this.#withdraw(id),
      };
    if (!canChange) return null;
    return {
      ...{ versions: chat.state.versions.get(id), isEdited, edit },
      change: (text) => void this.#change(id, text),
      repeat: () => void chat.repeat(id),
      open: (branch) => void chat.openBranch(branch),
    };
  }

  /** Values on which the actions of a request depend. */
  stateOf(id: string | null, canChange: boolean): readonly unknown[] {
    const run = this.host.chat()?.run;
    const isWaiting = id !== null && isQueued(run?.queued ?? [], id);
    return [canChange, id !== null && id === this.#edited, isWaiting, isWaiting && run?.running];
  }

  async #edit(id: string | null, isWaiting: boolean): Promise<void> {
    this.#edited = id;
    this.#wasWaiting = isWaiting;
    await this.host.rendered();
    this.host.focus(id === null ? 'request' : 'changed');
  }

  async #change(id: string, text: string): Promise<void> {
    this.#edited = null;
    this.host.sent();
    // The changed words are not lost when they are refused.
    if ((await this.host.chat()?.change(id, text)) === false) this.host.refused(text);
  }

  /** A request that was read meanwhile stays as it is; the words are another one. */
  async #revise(id: string, text: string): Promise<void> {
    const chat = this.host.chat();
    this.#edited = null;
    if (chat === null) return;
    const isWaiting = isQueued(chat.run.queued, id);
    const isStored = await (isWaiting ? chat.revise(id, text) : chat.send(text, {}));
    if (!isStored) this.host.refused(text);
    await this.host.rendered();
    this.host.focus('request');
  }

  async #withdraw(id: string): Promise<void> {
    await this.host.chat()?.withdraw(id);
    await this.host.rendered();
    this.host.focus('request');
  }
}

function isQueued(queued: readonly QueuedRequest[], id: string): boolean {
  return queued.some(({ messageId }) => messageId === id);
}
