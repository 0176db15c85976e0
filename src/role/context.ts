import type { AgentEvent } from '../base/events.js';
import type { Workspace } from '../base/files.js';
import type { Human } from '../base/human.js';
import type { Message } from '../base/message.js';
import type { ChatRequest } from '../base/model.js';
import { SeededRuntime, type Runtime } from '../base/runtime.js';
import type { Write } from '../base/store.js';
import { VirtualFiles } from '../files/virtual-files.js';

/** A message on its way: what to store for it, and what to do once that is stored. */
export interface Delivery {
  /** Names of the roles that will get it; empty when nobody is meant. */
  recipients: string[];
  writes: Write[];
  deliver(): void;
}

/** How a role reaches the others: by ids and messages, never by object. */
export interface MessageBus {
  readonly description: string;
  readonly roleNames: readonly string[];
  /** Finds who is meant; the sender stores and delivers it together with its own change. */
  route(message: Message): Delivery;
  addressesChanged(role: string, addresses: ReadonlySet<string>): void;
}

/** The world of a role: everything it may touch, injected. */
export interface RoleContext {
  session: string;
  runtime: Runtime;
  workspace: Workspace;
  /** Null when nobody is there to talk to. */
  human: Human | null;
  /** Null when the role stands alone. */
  bus: MessageBus | null;
  /** Stores these records, all or none. Resolves when they are safe. */
  commit(writes: readonly Write[]): Promise<void>;
  emit(event: AgentEvent): void;
  /** Sees every request to the model just before it is sent; for traces. */
  onRequest?: (request: ChatRequest) => void;
}

/** A world of its own for a role that nobody has put into a session: nothing is stored, nobody listens. */
export function standaloneContext(): RoleContext {
  const runtime = SeededRuntime.fresh();
  return {
    session: 'standalone',
    runtime,
    workspace: new VirtualFiles({ now: runtime.now }),
    human: null,
    bus: null,
    commit: async () => {},
    emit: () => {},
  };
}
