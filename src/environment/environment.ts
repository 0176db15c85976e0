import { RoleZeroError } from '../base/error.js';
import type { Message } from '../base/message.js';
import { Memory } from '../memory/memory.js';
import { standaloneContext, type Delivery, type MessageBus, type RoleContext } from '../role/context.js';
import type { Outcome, Run } from '../role/outcome.js';
import type { Role } from '../role/role.js';

/** The roles that share a place, and the way messages take between them (spec 21.1). */
export class Environment implements MessageBus {
  readonly #roles = new Map<string, Role>();
  readonly #addresses = new Map<string, ReadonlySet<string>>();
  /** Every message published here, once. */
  readonly history = new Memory();

  constructor(readonly description = '') {}

  get roleNames(): string[] {
    return [...this.#roles.keys()];
  }
  get roles(): Role[] {
    return [...this.#roles.values()];
  }

  /**
   * Takes a role in. `context` is its world; by default one of its own.
   * @throws RoleZeroError `invalid` when the name is empty or taken: a message must know whom it means.
   */
  addRole(role: Role, context: Omit<RoleContext, 'bus'> = standaloneContext()): void {
    if (role.name === '' || (this.#roles.has(role.name) && this.#roles.get(role.name) !== role)) {
      throw new RoleZeroError(
        'invalid',
        `There is already a role named "${role.name}" here; names must differ.`,
        {
          name: role.name,
        },
      );
    }
    this.#roles.set(role.name, role);
    this.#addresses.set(role.name, role.addresses);
    role.attach({ ...context, bus: this });
  }

  /** Null when nobody has that name. */
  getRole(name: string): Role | null {
    return this.#roles.get(name) ?? null;
  }

  /** Where messages reach a role; empty for a stranger. */
  getAddresses(name: string): ReadonlySet<string> {
    return this.#addresses.get(name) ?? new Set();
  }

  addressesChanged(name: string, addresses: ReadonlySet<string>): void {
    this.#addresses.set(name, addresses);
  }

  /** Everybody the message is meant for; the sender does not hear its own broadcast again. */
  route(message: Message): Delivery {
    const meant = this.roles.filter(
      (role) =>
        message.isSendTo(this.getAddresses(role.name)) &&
        (role.name !== message.sentFrom || message.sendTo.has(role.name)),
    );
    const placed = meant.map((role) => ({ role, key: role.inboxKey() }));
    return {
      recipients: meant.map((role) => role.name),
      writes: placed.map(({ key }) => ({ table: 'inbox', key, value: message.toData() })),
      deliver: () => {
        this.history.add(message);
        for (const { role, key } of placed) role.putMessage(message, key);
      },
    };
  }

  /** Sends a message to everybody it is meant for; their names, empty when nobody is. */
  publishMessage(message: Message): string[] {
    const delivery = this.route(message);
    delivery.deliver();
    return delivery.recipients;
  }

  get isIdle(): boolean {
    return this.roles.every((role) => role.isIdle);
  }

  /**
   * Lets every role that has something to do work, again and again, until all is quiet or a role could not finish.
   * The outcome of the last piece of work; null when there was nothing to do.
   */
  async run(run: Run): Promise<Outcome | null> {
    let last: Outcome | null = null;
    for (;;) {
      const busy = this.roles.find((role) => !role.isIdle);
      if (busy === undefined) return last;
      const outcome = await busy.work(run);
      last = outcome ?? last;
      if (busy.resumable) return outcome; // it could not finish and needs somebody first
    }
  }
}
