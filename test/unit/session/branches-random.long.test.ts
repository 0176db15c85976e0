import { expect, test } from 'vitest';
import type { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { sized } from '../../size.js';
import { ask, open, send, shown } from './obedient.js';
import { dyingAt } from './storages.js';

/** Operations of one session. */
const OPERATIONS = 60;

/** Returns numbers below a limit that follow from a seed. */
function random(seed: number): (limit: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** One session under random operations, and what it should show. */
class Run {
  readonly storage = memoryStorage();
  /** What was shown before each request, by its id, and what each branch showed when it was left. */
  readonly before = new Map<string, unknown>();
  readonly left = new Map<string, unknown>();
  /** All branches so far, also those that were left on the way to another one. */
  readonly #seen = new Set<string>();
  session!: Session;

  constructor(
    readonly next: (limit: number) => number,
    readonly options: Parameters<typeof open>[1],
  ) {}

  async reopen(): Promise<void> {
    this.session = (await open(this.storage, this.options)).session;
    if (!this.session.resumable) return;
    await (
      await this.session.resume()
    ).result;
  }

  /** Requests that started a run in the present conversation. */
  requests(): string[] {
    return this.session.messages().flatMap(({ id }) => (this.before.has(id) ? [id] : []));
  }

  what(): string {
    const path = `/${'abc'.charAt(this.next(3))}`;
    return [`write ${path} w${this.next(9)}`, `append ${path} a${this.next(9)}`, `plan ${this.next(5)}`][
      this.next(3)
    ] as string;
  }

  async step(): Promise<void> {
    const { session, next } = this;
    const requests = this.requests();
    const branches = [...this.left.keys()];
    const now = await shown(session);
    const op = next(9);
    switch (op) {
      case 0:
      case 1:
      case 2:
        this.before.set(await send(session, this.what()), now);
        return;
      case 3:
        await session.files.write(`/user${next(2)}`, `user ${next(9)}`);
        return;
      case 4: {
        const id = requests[next(requests.length)];
        if (id === undefined) return;
        const { branch } = await session.rewind(id);
        await this.#follow(branch, now);
        expect(await shown(session)).toEqual(this.before.get(id));
        return;
      }
      case 5: {
        const id = requests[next(requests.length)];
        if (id === undefined) return;
        const result = (await session.regenerate(id)).result;
        expect((await result).status).toBe('done');
        await this.#follow((await this.#fresh())[0] ?? null, now);
        const again = session.messages().findLast(({ content }) => content.startsWith('do: '))?.id ?? '';
        this.before.set(again, this.before.get(id));
        return;
      }
      case 6:
        await this.#open(branches, now);
        return;
      case 7:
        await session.close();
        await this.reopen();
        expect(await shown(this.session)).toEqual(now);
        return;
      default:
        await this.#kill(requests, branches, now);
    }
  }

  /** Opens a branch. The branches in between are left as well, where it is part of another one. */
  async #open(branches: readonly string[], now: unknown): Promise<void> {
    const id = branches[this.next(branches.length)];
    if (id === undefined) return;
    const wanted = this.left.get(id);
    const isPart = await this.#isPart(id);
    const { branch } = await this.session.branches.open(id);
    expect(await shown(this.session)).toEqual(wanted);
    await this.#follow(isPart ? null : branch, now);
  }

  /** Returns whether a branch is part of another one. */
  async #isPart(id: string): Promise<boolean> {
    return (await this.session.branches.list()).find((each) => each.id === id)?.parent !== null;
  }

  /** Returns the branches that were not there before. */
  async #fresh(): Promise<string[]> {
    return (await this.session.branches.list()).map(({ id }) => id).filter((id) => !this.#seen.has(id));
  }

  /** Notes the branches that exist now. */
  async #follow(branch: string | null, now: unknown): Promise<void> {
    const known = new Set((await this.session.branches.list()).map(({ id }) => id));
    for (const id of known) this.#seen.add(id);
    for (const id of this.left.keys()) if (!known.has(id)) this.left.delete(id);
    if (branch !== null) this.left.set(branch, now);
  }

  /** Kills the session during one operation. Afterwards, that has happened as a whole, or not at all. */
  async #kill(requests: readonly string[], branches: readonly string[], now: unknown): Promise<void> {
    const { next } = this;
    const branch = branches[next(branches.length)];
    const isPart = branch !== undefined && (await this.#isPart(branch));
    await this.session.close();
    const moment = next(2) === 0 ? 'before' : 'after';
    const { storage, died } = dyingAt(this.storage, 1 + next(4), moment);
    const dying = (await open(storage, this.options)).session;
    const id = requests[next(requests.length)];
    const isSend = next(2) === 0 || (id === undefined && branch === undefined);
    const request = ask(this.what());
    const messageId = `killed-${next(2 ** 30)}`;
    const isRewind = id !== undefined && (branch === undefined || next(2) === 0);
    const work = isSend
      ? dying.send(request, { id: messageId }).then((run) => run.result)
      : isRewind
        ? dying.rewind(id)
        : dying.branches.open(branch ?? '');
    await Promise.race([died, work.catch(() => undefined)]);
    await this.reopen();
    const then = await shown(this.session);
    if (isSend) {
      if (this.session.messages().some((message) => message.id === messageId))
        this.before.set(messageId, now);
      else expect(then).toEqual(now);
      return;
    }
    const possible = [now, id && this.before.get(id), ...this.left.values()];
    // A branch that is part of another one is opened after that one.
    if (isRewind || !isPart) expect(possible).toContainEqual(then);
    const fresh = await this.#fresh();
    await this.#follow(fresh.length === 1 && !isPart ? (fresh[0] ?? null) : null, now);
  }
}

test.each(Array.from({ length: sized(20, 2) }, (_, seed) => seed))(
  'random changes of a conversation show what was there before, and lose nothing (%i)',
  async (seed) => {
    const run = new Run(random(seed + 1), seed % 3 === 1 ? { memoryK: 10 } : {});
    await run.reopen();
    for (let step = 0; step < OPERATIONS; step++) await run.step();
    await run.session.close();
  },
  120_000,
);
