import { estimateTokenCount } from 'tokenx';
import { targetIn } from '../element-line.js';
import { MESSAGE_LIMITS } from '../limits.js';
import type { ActionRequest, ActionResult, AnswerOf, DriverRequest, ViewResult } from '../protocol.js';
import { click, clickAndHold, setChecked } from './actions/click.js';
import { drag } from './actions/drag.js';
import type { Done, Hands } from './actions/hands.js';
import { Playing } from './actions/media.js';
import { describeElement, reach } from './actions/reach.js';
import { scroll, scrollHeard } from './actions/scroll.js';
import { selectText } from './actions/select-text.js';
import { select, upload } from './actions/select.js';
import { press, type } from './actions/type.js';
import { Flashes } from './flashes.js';
import type { FrameLinks, Nodes, NodesRequest } from './frame-links.js';
import type { ElementIds } from './ids.js';
import { now, replaceMethod, sleep } from './natives.js';
import type { Dialogs } from './page/dialogs.js';
import { Picker } from './pick.js';
import { type HostPort, Refusal } from './port.js';
import type { Quiet } from './quiet.js';
import { takeScreenshot } from './screenshot.js';
import { cut } from './view/quote.js';
import { toLines, toPages, toText, viewDifference, type Line } from './view/render.js';
import type { TreeNode } from './view/tree-node.js';
import { readTree } from './view/tree.js';

const DEFAULT_PART_CHARACTERS = 12_000;
/** Number of checks, and ms between them, while waiting for a page to get a size. */
const MAX_WAITS = 40;
const WAIT_MS = 50;

function isObjectValue(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Environment of a document: a frame without an origin, or a site. */
export interface DriverSurroundings {
  /** Returns how often the page requested to leave. */
  left(): number;
  /** Moves by `by` entries that the page itself created. Returns false if the step leads off this page. */
  step(by: number): boolean;
  frames: FrameLinks;
}

/** Parts of a driver. */
export interface DriverParts {
  host: HostPort;
  quiet: Quiet;
  ids: ElementIds;
  dialogs: Dialogs;
  hands: Hands;
  surroundings: DriverSurroundings;
  /** Prefix of each id. */
  prefix: () => string;
}

/** Reads one document and acts in it. */
export class Driver {
  readonly #host: HostPort;
  readonly #ids: ElementIds;
  readonly #prefix: () => string;
  readonly #quiet: Quiet;
  readonly #hands: Hands;
  readonly #dialogs: Dialogs;
  readonly #surroundings: DriverSurroundings;
  readonly #flashes: Flashes;
  readonly #playing = new Playing();
  readonly #picker = new Picker();
  #wasDrawn = false;
  #shown: Line[] = [];
  #invalid: string[] = [];

  constructor({ host, quiet, ids, dialogs, hands, surroundings, prefix }: DriverParts) {
    this.#host = host;
    this.#quiet = quiet;
    this.#ids = ids;
    this.#dialogs = dialogs;
    this.#hands = hands;
    this.#surroundings = surroundings;
    this.#prefix = prefix;
    this.#flashes = new Flashes((element) => `${prefix()}${ids.of(element)}`);
    this.#watchDocument();
    host.onCall = (request) => this.#answer(request);
  }

  #watchDocument(): void {
    replaceMethod(Element.prototype, 'attachShadow', (_element, values, native) => {
      // A closed shadow root is hidden from other scripts, but users see its content.
      const [settings] = values;
      if (isObjectValue(settings)) values[0] = { ...settings, mode: 'open' };
      const root = native() as ShadowRoot;
      this.#quiet.watch(root);
      return root;
    });
    addEventListener('invalid', (event) => this.#noteInvalid(event), true);
    addEventListener('load', () => this.#host.event({ event: 'loaded', title: this.#title() }));
    let title = '';
    new MutationObserver(() => {
      if (document.title === title) return;
      title = document.title;
      this.#host.event({ event: 'title', title: this.#title() });
    }).observe(document, { subtree: true, childList: true, characterData: true });
  }

  #title(): string {
    return cut(document.title, MESSAGE_LIMITS.title);
  }

  /** Records the validation message that the browser shows for an invalid field, for the model. */
  #noteInvalid(event: Event): void {
    const [field] = event.composedPath();
    if (this.#invalid.length < 10 && field instanceof Element && 'validationMessage' in field)
      this.#invalid.push(`${describeElement(field)}: ${String(field.validationMessage)}`);
  }

  /**
   * Waits until the page has a size. A page gets its size when its container is drawn, which may happen after its first script. Until then,
   * nothing in it can be seen or clicked. The wait happens once and is short: a page in a window behind others may never have a size.
   */
  async #drawn(): Promise<void> {
    const hasSize = (): boolean => innerWidth > 0 && innerHeight > 0;
    for (let wait = 0; wait < MAX_WAITS && !this.#wasDrawn && !hasSize(); wait++) await sleep(WAIT_MS);
    this.#wasDrawn = true;
  }

  async #answer(request: DriverRequest | NodesRequest): Promise<unknown> {
    await this.#drawn();
    switch (request.kind) {
      case 'view':
        return this.#view(
          request.page ?? 1,
          request.changes ?? false,
          request.limit ?? DEFAULT_PART_CHARACTERS,
        );
      case 'nodes':
        return { nodes: await this.#read(), nextId: this.#ids.next } satisfies Nodes;
      case 'words':
        return this.#words();
      case 'settle':
        return this.#result('The page is quiet.', this.#surroundings.left());
      case 'watch':
        return this.#watch(request.duration);
      case 'dialogs':
        this.#dialogs.policy = request.policy;
        return {};
      case 'screenshot':
        return takeScreenshot(request.element === undefined ? null : this.#element(request.element));
      case 'pick':
        return this.#picker.answer(request.step);
      case 'history':
        return { done: this.#surroundings.step(request.by) };
      default:
        return this.#act(request);
    }
  }

  async #act(request: ActionRequest): Promise<unknown> {
    const id = 'element' in request ? request.element : undefined;
    const inner = id === undefined ? null : this.#frameOf(id);
    if (inner) {
      const answer = this.#surroundings.frames.forward(inner, request);
      if (!answer) throw new Refusal('not-found', `Element ${id ?? ''} not found: its frame is gone.`);
      return answer;
    }
    await this.#requireApproved(request);
    const element = id === undefined ? null : this.#element(id);
    // An action on a frame as a whole, or on a text in it, applies to the document that it shows.
    const isForDocument = 'text' in request || /^(press|scroll|selectText)$/.test(request.kind);
    if (element instanceof HTMLIFrameElement && isForDocument) {
      const { element: _frame, approved: _checked, ...rest } = request;
      const isMoved = request.kind === 'scroll' && request.direction === 'into';
      const answer = isMoved ? undefined : this.#surroundings.frames.forward(element, rest as ActionRequest);
      if (answer) return answer;
    }
    const left = this.#surroundings.left();
    this.#playing.noteUsed();
    this.#dialogs.shown = [];
    this.#invalid = [];
    this.#flashes.begin();
    return this.#result(await this.#perform(request, element), left, element);
  }

  /** Observes the page for a time, and reports what appeared and disappeared since the last action. */
  async #watch(duration: number): Promise<ActionResult> {
    const left = this.#surroundings.left();
    const end = now() + Math.min(duration, MESSAGE_LIMITS.watch);
    this.#flashes.resume();
    while (now() < end && this.#surroundings.left() === left) await sleep(Math.min(WAIT_MS, end - now()));
    const notes = this.#flashes.end(null).map((line) => cut(line, MESSAGE_LIMITS.message));
    const isLeft = this.#surroundings.left() !== left;
    return { report: `Watched the page for ${duration / 1000} s.`, notes, left: isLeft, quiet: true };
  }

  /**
   * Compares the elements with what the user approved. From the view to the action, no task of the page runs.
   *
   * @throws Refusal `changed`
   */
  async #requireApproved(request: ActionRequest): Promise<void> {
    if (request.approved === undefined) return;
    const { element, to }: { element?: string; to?: string } = request;
    const lines = toLines(await this.#read()).map(({ text }) => text);
    const now = targetIn(lines, [element, to], 'not shown any more');
    if (now !== request.approved)
      throw new Refusal('changed', `The element changed: it is ${now}. Look at the page again.`);
  }

  async #perform(request: ActionRequest, given: Element | null): Promise<Done> {
    const hands = this.#hands;
    const element = given ?? document.body;
    switch (request.kind) {
      case 'click':
        return request.holdFor === undefined
          ? click(hands, element, request)
          : clickAndHold(hands, element, request);
      case 'type':
        // Typing into a list selects the option with that text.
        return given instanceof HTMLSelectElement && !given.multiple
          ? select(hands, given, [request.text.trim()])
          : type(hands, given, request);
      case 'hover':
        hands.mouse.move(reach(element, request.at));
        return `The mouse is over ${describeElement(element)}.`;
      case 'press':
        return press(hands, given, request.keys, request.holdFor);
      case 'scroll':
        return this.#scroll(given, request.direction);
      case 'select':
        return select(hands, element, request.options);
      case 'check':
        return setChecked(hands, element, request.checked);
      case 'drag':
        return drag(hands, given, request.to === undefined ? null : this.#element(request.to), request);
      case 'upload':
        return upload(element, request.files);
      case 'selectText':
        return selectText(element, request.text);
    }
  }

  /** Scrolls. The page's response to the scroll event counts as part of the action. */
  #scroll(element: Element | null, direction: Parameters<typeof scroll>[1]): string {
    const heard = scrollHeard();
    const report = scroll(element, direction);
    if (report.startsWith('Scrolled')) void this.#quiet.during(heard);
    return report;
  }

  /** Waits until the page is quiet, unless it is about to leave. */
  async #result(done: Done, left: number, acted?: Element | null): Promise<ActionResult> {
    const quiet = this.#surroundings.left() !== left || (await this.#quiet.settled());
    const flashes = acted === undefined ? [] : [...this.#flashes.end(acted), ...this.#playing.notes];
    const isLeft = this.#surroundings.left() !== left;
    const { report, note } = typeof done === 'string' ? { report: done, note: null } : done;
    const invalid = this.#invalid.splice(0).map((field) => `The form was not sent. ${field}`);
    const all = [
      report,
      ...(note === null ? [] : [note]),
      ...flashes,
      ...this.#dialogs.shown.splice(0).map((dialog) => `The page showed: ${dialog}.`),
      ...invalid,
      ...(quiet ? [] : ['The page was still changing.']),
    ];
    const notes = [...(note === null ? [] : [note]), ...flashes, ...invalid].map((line) =>
      cut(line, MESSAGE_LIMITS.message),
    );
    return { report: cut(all.join(' '), MESSAGE_LIMITS.message), notes, left: isLeft, quiet };
  }

  /** Returns the frame to which an id belongs; null for an element of this document. */
  #frameOf(id: string): Element | null {
    const prefix = this.#prefix();
    const rest = id.slice(prefix.length);
    if (!id.startsWith(prefix) || !rest.includes('.')) return null;
    const frame = this.#ids.find(Number(rest.split('.')[0]));
    if (!frame) throw new Refusal('not-found', `Element ${id} not found: its frame is gone.`);
    return frame;
  }

  #element(id: string): Element {
    const prefix = this.#prefix();
    const element = id.startsWith(prefix) ? this.#ids.find(Number(id.slice(prefix.length))) : undefined;
    if (!element)
      throw new Refusal('not-found', `Element ${id} not found. Look at the page again for its elements.`);
    return element;
  }

  async #read(): Promise<TreeNode[]> {
    const frames = await this.#surroundings.frames.nodes();
    return readTree({ ids: this.#ids, prefix: this.#prefix(), frames });
  }

  async #words(): Promise<AnswerOf<'words'>> {
    return { text: cut(toText(toLines(await this.#read())), MESSAGE_LIMITS.words) };
  }

  async #view(page: number, changes: boolean, limit: number): Promise<ViewResult> {
    const lines = toLines(await this.#read());
    const pages = toPages(lines, Math.min(Math.max(limit, 500), MESSAGE_LIMITS.view / 2));
    if (page > pages.length)
      throw new Refusal('unfit', `The view has ${pages.length} pages; there is no page ${page}.`);
    const whole = toText(pages[page - 1] ?? []);
    const before = this.#shown;
    this.#shown = lines;
    const changed =
      changes && before.length > 0 ? viewDifference(before, lines) || '(nothing changed)' : null;
    const isShorter = changed !== null && changed.length < whole.length;
    const text = cut(isShorter ? changed : whole, MESSAGE_LIMITS.view);
    return {
      title: this.#title(),
      text,
      page,
      pages: pages.length,
      changes: isShorter,
      tokens: estimateTokenCount(text),
      allTokens:
        pages.length === 1 && !isShorter ? estimateTokenCount(text) : estimateTokenCount(toText(lines)),
      scroll: { top: scrollY, height: innerHeight, all: document.documentElement.scrollHeight },
      nextId: this.#ids.next,
    };
  }
}
