import type { Session } from 'rolezero';
import { decodeText } from 'rolezero/files';
import { MAX_SHOWN_FILE } from './file-control.js';
import { pickIn } from './stage-client.js';
import type { Store } from './state/app-state.js';
import type { ElementPlace, PickedElement } from './state/element-place.js';
import { pathOf } from './state/main-page.js';
import { t } from './text/index.js';

/** In ms, the time between two questions whether an element was picked. */
const INTERVAL = 200;
/** Maximum number of files in which the line of an element is looked for. */
const MAX_SEARCHED = 100;

/** Lets the user point at an element of the page in the preview. The next request then names it. */
export class PointControl {
  constructor(
    private readonly store: Store,
    private readonly session: () => Session | null,
    private readonly guarded: (work: () => Promise<unknown>) => Promise<void>,
  ) {}

  /** Starts, or ends without an element. */
  async toggle(): Promise<void> {
    if (this.store.state.isPointing) this.store.update({ isPointing: false });
    else await this.guarded(() => this.#point());
  }

  async #point(): Promise<void> {
    const session = this.session();
    const { page } = this.store.state;
    if (session === null || page === null) return;
    this.store.update({ isPointing: true, announcement: t.pointHint });
    document.querySelector<HTMLElement>(`iframe[data-stage="${page.by}"]`)?.focus();
    const isWanted = (): boolean => this.store.state.isPointing && page === this.store.state.page;
    try {
      let answer = await pickIn(session, page, 'start');
      while (answer?.isPointing === true && isWanted()) {
        await new Promise((resolve) => setTimeout(resolve, INTERVAL));
        answer = await pickIn(session, page, 'read');
      }
      if (answer?.isPointing === true) await pickIn(session, page, 'stop');
      const picked = answer?.picked ?? null;
      if (picked === null || session !== this.session()) return;
      const place = await this.#placeOf(session, picked, pathOf(page.url));
      this.store.update({ pointed: { ...picked, url: page.url, place }, pane: 'talk' });
    } finally {
      this.store.update({ isPointing: false });
      requestAnimationFrame(() => {
        if (!this.store.state.isPointing) document.querySelector('rolezero-chat')?.focus(); // not begun again
      });
    }
  }

  async #placeOf(session: Session, element: PickedElement, page: string): Promise<ElementPlace | null> {
    const files = (await session.files.list()).filter(
      ({ type, path, size }) =>
        type === 'file' && size <= MAX_SHOWN_FILE && /\.(?:html?|[cm]?[jt]sx?|svg|vue)$/i.test(path),
    );
    const read = files.slice(0, MAX_SEARCHED).map(async ({ path }) => {
      const text = decodeText(await session.files.readBytes(path))?.text ?? '';
      return [path, text] as const;
    });
    const { placeOf } = await import('./state/element-place.js');
    return placeOf(element, page, await Promise.all(read));
  }
}
