import type { CodeEditor } from './panes/editor.js';
import { shownFile, type State } from './state/app-state.js';
import { readOnlyReason } from './state/read-only.js';
import { t } from './text/index.js';

/** Mounts the code editor in the page. Its code is loaded when there is a file to show. */
export class EditorMount {
  #editor: CodeEditor | null = null;
  #place: HTMLElement | null = null;
  #loading = false;
  marks = true;

  constructor(private readonly edited: (path: string, content: string) => void) {}

  /** After each change of the page. */
  sync(root: ParentNode, state: State): void {
    const place = root.querySelector<HTMLElement>('.editor');
    if (place !== this.#place) {
      this.#editor?.destroy();
      this.#editor = null;
      this.#place = place;
    }
    const isPast = state.tab === 'timeline';
    const file = isPast ? (state.past?.file ?? null) : shownFile(state);
    if (place === null || file === null) return;
    if (this.#editor === null) void this.#load(root, state);
    else {
      this.#editor.show(file, t.contentOf(file.path), isPast || this.marks);
      this.#editor.setReadOnly(readOnlyReason(state) !== null);
    }
  }

  /** Stores pending edits. */
  flush(): void {
    this.#editor?.flush();
  }

  async #load(root: ParentNode, state: State): Promise<void> {
    if (this.#loading) return;
    this.#loading = true;
    try {
      const { CodeEditor } = await import('./panes/editor.js');
      if (this.#place !== null && this.#editor === null) {
        this.#place.replaceChildren();
        this.#editor = new CodeEditor(this.#place, this.edited);
      }
    } finally {
      this.#loading = false;
    }
    this.sync(root, state);
  }
}
