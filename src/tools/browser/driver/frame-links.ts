import type { DriverRequest, FromDriver, NavigateRequest, ToDriver } from '../protocol.js';
import type { ElementIds } from './ids.js';
import { later } from './natives.js';
import { type HostPort, Refusal } from './port.js';
import type { Quiet } from './quiet.js';
import type { TreeNode } from './view/tree-node.js';

/** Request between drivers, in addition to the requests of the host. */
export interface NodesRequest {
  kind: 'nodes';
}
export interface Nodes {
  nodes: TreeNode[];
  nextId: number;
}

interface Child {
  port: MessagePort;
  /** Called when the child's document has loaded. */
  loaded: () => void;
  calls: Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>;
}

/** Milliseconds that a frame has to return its content. */
const LINK_TIMEOUT_MS = 2_000;

/** Connections to the drivers of frames inside a page. They communicate with the page's driver in the same way as it does with the host. */
export class FrameLinks {
  readonly #children = new Map<Element, Child>();
  #lastCall = 0;

  constructor(
    readonly host: HostPort,
    readonly quiet: Quiet,
    readonly ids: ElementIds,
    /** Handles a navigation of a frame. Returns true if it handled the navigation. */
    readonly goes: (frame: Element, navigation: NavigateRequest) => boolean,
  ) {}

  get count(): number {
    return this.#children.size;
  }

  has(frame: Element): boolean {
    return this.#children.has(frame);
  }

  /** Returns the content of the page's frames. Omits a frame that does not answer in time. */
  async nodes(): Promise<ReadonlyMap<Element, TreeNode[]>> {
    const found = new Map<Element, TreeNode[]>();
    await Promise.all(
      [...this.#children].map(async ([frame, child]) => {
        if (!frame.isConnected) {
          this.#children.delete(frame);
          return;
        }
        const answer = await this.#call(child, { kind: 'nodes' }, LINK_TIMEOUT_MS).catch(() => null);
        if (!answer) return;
        const { nodes, nextId } = answer as Nodes;
        this.ids.skipTo(nextId);
        found.set(frame, nodes);
      }),
    );
    return found;
  }

  /** Forwards a request to the driver of a frame. Returns undefined if there is none. */
  forward(frame: Element, request: DriverRequest): Promise<unknown> | undefined {
    const child = this.#children.get(frame);
    return child && this.#call(child, request);
  }

  /** Opens a connection to the driver of a frame. Returns the port for that driver. */
  connect(frame: Element, loaded: () => void = () => undefined): MessagePort {
    const { port1, port2 } = new MessageChannel();
    const child: Child = { port: port1, loaded, calls: new Map() };
    port1.onmessage = (event: MessageEvent<FromDriver>) => this.#receive(frame, child, event.data);
    for (const call of this.#children.get(frame)?.calls.values() ?? [])
      call.reject(new Refusal('failed', 'Another page took the place of the one in this frame.'));
    this.#children.set(frame, child);
    return port2;
  }

  #receive(frame: Element, child: Child, message: FromDriver): void {
    if (message.type === 'answer') {
      const call = child.calls.get(message.id);
      child.calls.delete(message.id);
      if (message.ok) call?.resolve(message.value);
      else call?.reject(new Refusal(message.code, message.message));
      return;
    }
    const { event } = message;
    if (event.event === 'loaded') child.loaded();
    if (event.event === 'fetch') {
      const { id, url, method, use, body } = event;
      void this.quiet.during(this.host.file({ url, method, use, body })).then((answer) => {
        child.port.postMessage({ ...answer, id } satisfies ToDriver);
      });
    } else if (event.event === 'navigate' && this.goes(frame, event)) this.quiet.stir();
    else if (!/^(ready|loaded|title|history|leaving)$/.test(event.event)) this.host.event(event);
    this.quiet.stir();
  }

  #call(child: Child, request: DriverRequest | NodesRequest, patience?: number): Promise<unknown> {
    const id = ++this.#lastCall;
    return new Promise((resolve, reject) => {
      child.calls.set(id, { resolve, reject });
      child.port.postMessage({ type: 'call', id, request });
      if (patience !== undefined)
        later(() => {
          child.calls.delete(id);
          reject(new Refusal('timeout', 'The frame did not answer.'));
        }, patience);
    });
  }
}
