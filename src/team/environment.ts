import { RoleZeroError } from '../core/error.js';
import type { Inspection } from '../core/inspection.js';
import { MESSAGE_TO_ALL, MESSAGE_TO_NONE, MESSAGE_TO_SELF, type Message } from '../core/message.js';
import type { Write } from '../core/store.js';
import {
  standaloneContext,
  type CallingAgent,
  type Delivery,
  type Member,
  type MessageBus,
  type RoleContext,
} from '../agent/runtime/context.js';
import { MAX_WAITING } from '../agent/runtime/inbox.js';
import type { Outcome, Run } from '../agent/runtime/outcome.js';
import type { TeamRole } from '../agent/runtime/work.js';
import { Memory } from '../memory/memory.js';
import { Ledger, MAX_TRACES } from './ledger.js';
import { Queue } from './queue.js';
import {
  endOfDirectChat,
  findRoute,
  NO_ONE,
  reactionsTo,
  readDirectChats,
  startOfDirectChat,
  USER,
  type Chat,
  type Route,
} from './routing.js';

export interface EnvironmentOptions {
  /** Describes the environment to its roles. */
  description?: string;
  /** The role through which all messages pass; it is added first. Without a leader, messages go to their addresses. */
  leader?: TeamRole;
  /** Rule for who receives which messages when there is a leader; default `public`. */
  chat?: Chat;
}

export interface PublishOptions {
  /** The user addresses exactly these recipients. The answer goes to the user. The leader receives copies in `public` chat only. */
  direct?: boolean;
  /** It is a request that joins a run in progress: it can be changed until a role has read it. */
  isQueued?: boolean;
}

/** Addresses that must not be used as the name of a role. */
const RESERVED_NAMES: ReadonlySet<string> = new Set([
  '',
  MESSAGE_TO_ALL,
  MESSAGE_TO_NONE,
  MESSAGE_TO_SELF,
  NO_ONE,
  USER,
]);

/** A group of roles, and the routing of messages between them. */
export class Environment implements MessageBus {
  readonly description: string;
  readonly leader: TeamRole | null;
  readonly chat: Chat;
  /** The newest messages published here, each once. */
  readonly history = new Memory();
  readonly #roles = new Map<string, TeamRole>();
  readonly #ledger = new Ledger();
  /** @internal The requests that no role has read yet. */
  readonly queue: Queue;
  /** @internal Called with the ids of requests in the queue when a role reads them. */
  onRead: (ids: readonly string[]) => void = () => {};
  /** The turns of the run in progress. */
  #schedule: Schedule | null = null;
  #direct = new Set<string>();

  constructor(options: string | EnvironmentOptions = {}) {
    const { description = '', leader, chat = 'public' } = typeof options === 'string' ? {} : options;
    this.description = typeof options === 'string' ? options : description;
    this.leader = leader ?? null;
    this.chat = chat;
    const allRoles = (): TeamRole[] => this.roles;
    this.queue = new Queue({
      ledger: this.#ledger,
      history: this.history,
      leader: this.leader?.name ?? null,
      directChats: (names) => names.filter((name) => this.#direct.has(name)),
      endDirectChats: (names) => {
        for (const name of names) this.#direct.delete(name);
      },
      get roles() {
        return allRoles();
      },
    });
    if (leader !== undefined) this.addRole(leader);
  }

  get roleNames(): string[] {
    return [...this.#roles.keys()];
  }
  get roles(): TeamRole[] {
    return [...this.#roles.values()];
  }
  get members(): Member[] {
    return this.roles.map(({ name, profile, goal }) => ({ name, profile, goal }));
  }

  /**
   * Adds a role. `context` provides its session; default: a separate, standalone context.
   * @throws RoleZeroError `invalid` when the name is empty, an address like `<all>`, or already used: names must be unambiguous addresses.
   */
  addRole(role: TeamRole, context: Omit<RoleContext, 'bus'> = standaloneContext()): void {
    const reserved = RESERVED_NAMES.has(role.name);
    if (reserved || (this.#roles.has(role.name) && this.#roles.get(role.name) !== role)) {
      throw new RoleZeroError(
        'invalid',
        reserved
          ? `A role cannot be named "${role.name}": this name is a reserved address.`
          : `There is already a role named "${role.name}" here; names must differ.`,
        { name: role.name },
      );
    }
    this.#roles.set(role.name, role);
    role.agent.attach({ ...context, bus: this });
  }

  /** Returns null when no role has that name. */
  getRole(name: string): TeamRole | null {
    return this.#roles.get(name) ?? null;
  }

  /** Returns the addresses of a role; empty for an unknown name. */
  getAddresses(name: string): ReadonlySet<string> {
    return this.getRole(name)?.agent.addresses ?? new Set();
  }

  /** Returns who received each message so far, which roles reacted and why, and what could not be delivered. */
  inspect(): Inspection {
    return this.#ledger.inspect();
  }

  /** Restores the stored rows of earlier deliveries, from the tables `deliveries` and `team`. */
  restore(rows: {
    deliveries: readonly { key: string; value: unknown }[];
    team: readonly { key: string; value: unknown }[];
  }): void {
    this.history.clear();
    this.history.addBatch(this.#ledger.restore(rows.deliveries));
    this.#direct = readDirectChats(rows.team);
  }

  /** Ends all direct conversations with the user; returns the writes to store for it. */
  endDirectChats(): Write[] {
    const ended = [...this.#direct];
    this.#direct.clear();
    return ended.map(endOfDirectChat);
  }

  /** A role takes these messages out of its inbox. */
  read(role: string, messages: readonly Message[]): void {
    const ids = this.queue.readFirst(role, messages);
    if (ids.length > 0) this.onRead(ids);
  }

  /**
   * Determines where a message goes. The sender must store and deliver the result.
   * @throws RoleZeroError `not-found` when the user directly addresses a role that does not exist; nothing has changed then.
   */
  route(message: Message, { direct = false, isQueued = false }: PublishOptions = {}): Delivery {
    const found = findRoute(message, this.#situation(), direct);
    if (found === null) return noDelivery({});
    if (direct && found.undeliverable.length > 0) throw this.#unknownRoles(found.undeliverable);
    if (this.#roles.has(message.sentFrom) && this.#ledger.repeats(message))
      return noDelivery({ repeated: true });
    return this.#place(message, found, isQueued);
  }

  /** Delivers a message to one role, whatever its address and without decoration. */
  hand(message: Message, role: TeamRole, { isQueued = false }: PublishOptions = {}): Delivery {
    const route = { copy: message, recipients: [role.name], undeliverable: [], marked: [], unmarked: [] };
    return this.#place(message, route, isQueued);
  }

  /**
   * Sends a message to all its recipients. Returns their names; empty when there are none. `inspect().deadLetters` contains what could not
   * be delivered.
   * @throws RoleZeroError `not-found` when the user directly addresses a role that does not exist.
   */
  publishMessage(message: Message, options: PublishOptions = {}): string[] {
    const delivery = this.route(message, options);
    delivery.deliver();
    return delivery.recipients;
  }

  get isIdle(): boolean {
    return this.roles.every((role) => role.agent.isIdle);
  }

  /**
   * Runs all roles with pending work repeatedly, until all are idle or a role could not finish, which stops the others. A role that waits
   * for the user does not block the others. While a model that `supports.parallel` works for one role, the others go on.
   *
   * @returns the outcome of the last turn, or of the first that needs someone; null when there was no work.
   */
  async run(run: Run): Promise<Outcome | null> {
    const ended: { last: Outcome | null; unfinished: Outcome | null } = { last: null, unfinished: null };
    const waiting = new Map<TeamRole, Outcome>();
    const stopping = new AbortController();
    const together = { id: run.id, signal: AbortSignal.any([run.signal, stopping.signal]) };
    const schedule = (this.#schedule = new Schedule());
    const work = async (role: TeamRole): Promise<void> => {
      const outcome = await role.work(together);
      ended.last = outcome ?? ended.last;
      if (outcome?.status === 'waiting') waiting.set(role, outcome);
      else if (outcome?.status === 'failed' || role.agent.isResumable) {
        ended.unfinished ??= outcome; // it needs someone first
        stopping.abort(new RoleZeroError('aborted', `${role.name} could not finish.`, { role: role.name }));
      }
    };
    try {
      for (;;) {
        const ready = stopping.signal.aborted ? [] : this.#ready().filter((role) => !waiting.has(role));
        const [next] = ready;
        if (next !== undefined) await schedule.start(() => work(next));
        else if (schedule.hasWaiting) await schedule.proceed();
        else return ended.unfinished ?? [...waiting.values()][0] ?? ended.last;
      }
    } finally {
      this.#schedule = null;
    }
  }

  /** Lets other roles go on during a call of the model, if there is work for them. What the role has changed is stored before. */
  async duringCall<Reply>(agent: CallingAgent, key: string, call: () => Promise<Reply>): Promise<Reply> {
    const schedule = this.#schedule;
    if (schedule === null || !(schedule.hasWaiting || this.#ready().length > 0)) return call();
    const turn = agent.turn();
    if (turn.lastCall?.key !== key)
      turn.lastCall = { key, place: 1 + Math.max(...this.roles.map(callPlace)) };
    await agent.log('command'); // a crash must change neither the order nor the ids that others draw meanwhile
    return schedule.waitFor(call(), turn.lastCall.place);
  }

  /** Roles with work that do not work on it: interrupted ones first, in the order in which they called their models. */
  #ready(): TeamRole[] {
    const ready = this.roles.filter(({ agent }) => !agent.isIdle && agent.working === null);
    const [interrupted, others] = [ready.filter(isInterrupted), ready.filter((role) => !isInterrupted(role))];
    return [...interrupted.toSorted((one, other) => callPlace(one) - callPlace(other)), ...others];
  }

  #situation(): Parameters<typeof findRoute>[1] {
    return {
      participants: this.roles.map(({ name, agent }) => {
        return { name, isBusy: agent.isBusy, addresses: agent.addresses };
      }),
      leader: this.leader?.name ?? null,
      chat: this.chat,
      direct: this.#direct,
    };
  }

  #place(message: Message, found: Route, isQueued: boolean): Delivery {
    const full = found.recipients.filter((name) => this.#isFull(name));
    const route: Route = {
      ...found,
      recipients: found.recipients.filter((name) => !full.includes(name)),
      undeliverable: [...found.undeliverable, ...full],
    };
    const reactions = reactionsTo(message, route, this.roles);
    const entry = this.#ledger.reserve(
      message,
      { recipients: route.recipients, reactions },
      route.undeliverable,
      isQueued,
    );
    const placed = route.recipients.flatMap((name) => {
      const role = this.getRole(name);
      return role === null ? [] : [{ role, key: role.agent.inbox.nextKey() }];
    });
    const stored = route.copy.toData();
    return {
      recipients: route.recipients,
      undeliverable: route.undeliverable,
      full,
      repeated: false,
      writes: [
        ...placed.map(({ key }): Write => ({ table: 'inbox', key, value: stored })),
        ...entry.writes,
        ...directWrites(route),
      ],
      deliver: () => {
        for (const name of route.marked) this.#direct.add(name);
        for (const name of route.unmarked) this.#direct.delete(name);
        this.history.add(message);
        if (this.history.count() > MAX_TRACES) this.history.delete(this.history.storage[0] ?? message);
        entry.add();
        for (const { role, key } of placed) role.agent.putMessage(route.copy, key);
      },
    };
  }

  #isFull(name: string): boolean {
    return (this.getRole(name)?.agent.inbox.size ?? 0) >= MAX_WAITING;
  }

  #unknownRoles(names: readonly string[]): RoleZeroError {
    return new RoleZeroError(
      'not-found',
      `There is no role named ${names.join(', ')} here. The roles are ${this.roleNames.join(', ')}.`,
      { names: [...names], roles: this.roleNames },
    );
  }
}

function isInterrupted({ agent }: TeamRole): boolean {
  return agent.isResumable;
}

/** Returns the place of the last call of a role's turn, beside others; 0 for none. */
function callPlace({ agent }: TeamRole): number {
  return agent.state.turn?.lastCall?.place ?? 0;
}

/** Returns the writes that mark, or no longer mark, the roles that the user addresses directly. */
function directWrites({ marked, unmarked }: Route): Write[] {
  return [...marked.map(startOfDirectChat), ...unmarked.map(endOfDirectChat)];
}

function noDelivery({ repeated = false }: { repeated?: boolean }): Delivery {
  return { recipients: [], undeliverable: [], full: [], repeated, writes: [], deliver: () => {} };
}

/** A turn that waits for its model. */
interface Waiting {
  place: number;
  /** Resolves when the model has answered or failed. */
  answered: Promise<unknown>;
  proceed: () => void;
}

/**
 * Runs the turns of roles one at a time. While one waits for its model, the others go on. They continue in the order of their places, not of
 * the answers, so the order depends on what they do and not on how long it takes.
 */
class Schedule {
  readonly #waiting = new Set<Waiting>();
  /** Ends the part of a turn that runs now. */
  #pause: () => void = () => {};
  #fail: (error: unknown) => void = () => {};

  get hasWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** Starts a turn. Resolves when it waits for its model, or is over. @throws what the turn throws, here or in `proceed`. */
  start(turn: () => Promise<void>): Promise<void> {
    return this.#run(() => {
      turn().then(
        () => this.#pause(),
        (error: unknown) => this.#fail(error),
      );
    });
  }

  /** Continues the waiting turn with the lowest place. Resolves when it waits again, or is over. */
  async proceed(): Promise<void> {
    const [next] = [...this.#waiting].toSorted((one, other) => one.place - other.place);
    if (next === undefined) return;
    this.#waiting.delete(next);
    await next.answered;
    await this.#run(next.proceed);
  }

  /** Lets other turns go on until a call of the turn that runs has ended. */
  async waitFor<Result>(call: Promise<Result>, place: number): Promise<Result> {
    const answered = call.catch(() => undefined);
    await new Promise<void>((proceed) => {
      this.#waiting.add({ place, answered, proceed });
      this.#pause();
    });
    return call;
  }

  #run(go: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#pause = resolve;
      this.#fail = reject;
      go();
    });
  }
}
