import { expect, test } from 'vitest';
import type { FileHistoryEntry } from '../../../src/core/files.js';
import type { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { sized } from '../../size.js';
import { isClear, merged, type Text } from './merged.js';
import { ask, Gate, open, send, shown, type Shown } from './obedient.js';
import { QueueModel } from './queue-model.js';
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

/** An undo or a redo, and the files that it should leave: null for a conflict in its one file. */
interface Reversal {
  act: (resolve?: 'now' | 'restored') => ReturnType<Session['files']['undo']>;
  target: FileHistoryEntry;
  undone: boolean;
  path: string;
  restored: Text;
  expected: { text: Text } | null;
}

/** One session under random operations, and what it should show. */
class Run {
  readonly storage = memoryStorage();
  /** What was shown before each request, by its id, and what each branch showed when it was left. */
  readonly before = new Map<string, Shown>();
  readonly left = new Map<string, Shown>();
  /** All branches so far, also those that were left on the way to another one. */
  readonly #seen = new Set<string>();
  /** The change that each undo and each redo has taken back. */
  readonly #taken = new Map<string, string>();
  /** What was shown when the conversation went back last; null after a request. */
  #base: Shown | null = null;
  #words = 0;
  readonly #gate = new Gate();
  session!: Session;

  constructor(
    readonly next: (limit: number) => number,
    readonly options: Parameters<typeof open>[1],
  ) {}

  async reopen(): Promise<void> {
    this.session = (await open(this.storage, this.options, this.#gate)).session;
    if (!this.session.resumable) return;
    await (
      await this.session.resume()
    ).result;
  }

  /** Sends a request, and changes others that wait until its first step has ended. Sometimes the tab is killed meanwhile. */
  async #sendSeveral(now: Shown): Promise<void> {
    const queue = new QueueModel(this.next, () => ask(this.what()));
    const { reached, open: release } = this.#gate.close();
    const id = `several-${this.next(2 ** 30)}`;
    const run = await this.session.send(ask(this.what()), { id });
    await reached;
    for (let change = this.next(5); change >= 0; change--) await queue.change(this.session);
    if (this.next(3) === 0) {
      await queue.kill(this.session, this.storage, (storage) => open(storage, this.options));
      this.session = (await open(this.storage, this.options, this.#gate)).session;
      queue.check(this.session);
      expect((await (await this.session.resume()).result).status).toBe('done');
    } else {
      release();
      expect((await run.result).status).toBe('done');
    }
    queue.checkRead(this.session);
    this.before.set(id, now);
    this.#base = null;
  }

  /** Requests that started a run in the present conversation. */
  requests(): string[] {
    return this.session.messages().flatMap(({ id }) => (this.before.has(id) ? [id] : []));
  }

  /** A word that no file has. */
  word(): string {
    return `word${this.#words++}`;
  }

  path(): string {
    return `/${'ab'.charAt(this.next(2))}`;
  }

  what(): string {
    const path = this.path();
    return [
      `write ${path} ${this.word()}`,
      `append ${path} ${this.word()}`,
      `append ${path} ${this.word()}`,
      `plan ${this.next(5)}`,
    ][this.next(4)] as string;
  }

  async step(): Promise<void> {
    const { session, next } = this;
    const requests = this.requests();
    const branches = [...this.left.keys()];
    const now = await shown(session);
    switch (next(13)) {
      case 0:
      case 1:
      case 2:
        this.before.set(await send(session, this.what()), now);
        this.#base = null;
        return;
      case 3:
        await this.#userChange(now);
        return;
      case 4: {
        const id = requests[next(requests.length)];
        if (id === undefined) return;
        const { branch } = await session.rewind(id);
        await this.#follow(branch, now);
        this.#base = await shown(session);
        expect(this.#base).toEqual(this.before.get(id));
        return;
      }
      case 5: {
        const id = requests[next(requests.length)];
        if (id === undefined) return;
        const result = (await session.regenerate(id)).result;
        expect((await result).status).toBe('done');
        await this.#follow((await this.#fresh())[0] ?? null, now);
        const again = session.messages().findLast(({ content }) => content.startsWith('do: '))?.id ?? '';
        this.before.set(again, this.before.get(id) ?? now);
        this.#base = null;
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
      case 8:
      case 9:
        await this.#reverse(await this.#undo(now), now);
        return;
      case 10:
        await this.#reverse(await this.#redo(now), now);
        return;
      case 11:
        await this.#sendSeveral(now);
        return;
      default:
        await this.#kill(requests, branches, now);
    }
  }

  /** The user adds a line to a file, replaces it, or removes it. */
  async #userChange(now: Shown): Promise<void> {
    const path = this.next(3) === 0 ? `/user${this.next(2)}` : this.path();
    const text = textIn(now, path);
    const what = this.next(10);
    if (what === 0 && text !== undefined) return this.session.files.remove(path);
    const lines = what === 1 ? [''] : (text ?? '').split('\n');
    lines.splice(this.next(lines.length), 0, this.word()); // all lines remain unique, also the empty one at the end
    await this.session.files.write(path, lines.join('\n'));
  }

  /** Chooses a change of one file that is not undone. */
  async #undo(now: Shown): Promise<Reversal | null> {
    const entries = await this.session.files.history();
    const known = entries.filter(
      ({ name, undone, paths }) => name !== 'restore' && !undone && paths.length === 1,
    );
    const target = known[this.next(known.length)];
    if (target === undefined) return null;
    const reversal = await this.#reversal(target, now);
    if (reversal === null) return null;
    const act: Reversal['act'] = (resolve) => this.session.files.undo(target.id, resolve && { resolve });
    return { ...reversal, act, target, undone: true };
  }

  /** Chooses a change that one undo has taken back. */
  async #redo(now: Shown): Promise<Reversal | null> {
    const entries = await this.session.files.history();
    const known = entries.flatMap((target) => {
      if (!target.undone || target.paths.length !== 1) return [];
      const undos = entries.filter(
        ({ id, undone, name }) => name === 'undo' && !undone && this.#taken.get(id) === target.id,
      );
      const [undo] = undos;
      return undo !== undefined && undos.length === 1 ? [{ target, undo }] : [];
    });
    const chosen = known[this.next(known.length)];
    if (chosen === undefined) return null;
    const { target, undo } = chosen;
    const none = {
      path: target.paths[0] ?? '',
      restored: undefined,
      expected: { text: textIn(now, target.paths[0] ?? '') },
    };
    const reversal = undo.paths.length === 0 ? none : await this.#reversal(undo, now);
    if (reversal === null) return null;
    const act: Reversal['act'] = (resolve) => this.session.files.redo(target.id, resolve && { resolve });
    return { ...reversal, act, target, undone: false };
  }

  async #reversal({ id, paths: [path = ''] }: FileHistoryEntry, now: Shown) {
    const { before, after } = await this.session.files.difference(id, path);
    const restored = before ?? undefined;
    if (!isClear(restored, after ?? undefined, textIn(now, path))) return null;
    return { path, restored, expected: merged(after ?? undefined, textIn(now, path), restored) };
  }

  /** Does it. A conflict changes nothing until it is solved. */
  async #reverse(reversal: Reversal | null, now: Shown): Promise<void> {
    if (reversal === null) return;
    const { act, target, undone, path, restored, expected } = reversal;
    let text = expected?.text;
    let { id, conflicts } = await act();
    expect(conflicts.length).toBe(expected === null ? 1 : 0);
    if (expected === null) {
      expect(await shown(this.session)).toEqual(now);
      const resolve = this.next(2) === 0 ? 'now' : 'restored';
      ({ id, conflicts } = await act(resolve));
      expect(conflicts).toMatchObject([{ path, choice: resolve, now: textIn(now, path) ?? null }]);
      text = resolve === 'now' ? textIn(now, path) : restored;
      if (resolve === 'now') {
        expect([id, await shown(this.session)]).toEqual(['', now]);
        return;
      }
    }
    this.#note(id, target);
    expect((await shown(this.session)).files).toEqual(filesWith(now, [[path, text]]));
    expect(await this.#isUndone(target)).toBe(undone);
  }

  #note(id: string, { id: target }: FileHistoryEntry): void {
    this.#taken.set(id, target);
  }

  async #isUndone({ id }: FileHistoryEntry): Promise<boolean | undefined> {
    return (await this.session.files.history()).find((entry) => entry.id === id)?.undone;
  }

  /** Opens a branch. The branches in between are left as well, where it is part of another one. */
  async #open(branches: readonly string[], now: Shown): Promise<void> {
    const id = branches[this.next(branches.length)];
    if (id === undefined) return;
    const isPart = await this.#isPart(id);
    const { expected, clashes, isKnown } = await this.#opened(id, now);
    if (!isKnown) return;
    if (clashes && !isPart) {
      await expect(this.session.branches.open(id)).rejects.toMatchObject({ code: 'conflict' });
      expect(await shown(this.session)).toEqual(now);
    }
    const { branch } = await this.session.branches.open(id, { partly: true });
    this.#base = await shown(this.session);
    expect(this.#base).toEqual(expected);
    await this.#follow(isPart ? null : branch, now);
  }

  /** What a branch should show: what it showed when it was left, with what the user has changed without a request since. */
  async #opened(
    id: string,
    now: Shown,
  ): Promise<{ expected: Shown | undefined; clashes: boolean; isKnown: boolean }> {
    const wanted = this.left.get(id);
    const info = (await this.session.branches.list()).find((each) => each.id === id);
    const base = this.#base;
    if (wanted === undefined || base === null || info?.instead !== null || info.parent !== null)
      return { expected: wanted, clashes: false, isKnown: true };
    let clashes = false;
    let isKnown = true;
    const paths = [...new Set([...base.files, ...now.files].map(([path]) => path))];
    const changed = paths.flatMap((path): [string, Text][] => {
      const text = textIn(now, path);
      if (text === textIn(base, path)) return [];
      const both = merged(textIn(base, path), text, textIn(wanted, path));
      clashes ||= both === null;
      isKnown &&= isClear(textIn(base, path), text, textIn(wanted, path));
      return [[path, both === null ? text : both.text]];
    });
    return { expected: { ...wanted, files: filesWith(wanted, changed) }, clashes, isKnown };
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
  async #follow(branch: string | null, now: Shown): Promise<void> {
    const known = new Set((await this.session.branches.list()).map(({ id }) => id));
    for (const id of known) this.#seen.add(id);
    for (const id of this.left.keys()) if (!known.has(id)) this.left.delete(id);
    if (branch !== null) this.left.set(branch, now);
  }

  /** Kills the session during one operation. Afterwards, that has happened as a whole, or not at all. */
  async #kill(requests: readonly string[], branches: readonly string[], now: Shown): Promise<void> {
    const { next } = this;
    const branch = branches[next(branches.length)];
    const isPart = branch !== undefined && (await this.#isPart(branch));
    const known = branch === undefined ? null : await this.#opened(branch, now);
    if (known?.isKnown === false) return;
    const opened = known?.expected;
    const reversal = next(3) === 0 ? await (next(2) === 0 ? this.#undo(now) : this.#redo(now)) : null;
    await this.session.close();
    const moment = next(2) === 0 ? 'before' : 'after';
    const { storage, died } = dyingAt(this.storage, 1 + (reversal === null ? next(4) : 0), moment);
    this.session = (await open(storage, this.options)).session;
    const dying = this.session;
    const id = requests[next(requests.length)];
    const isSend = next(2) === 0 || (id === undefined && branch === undefined);
    const request = ask(this.what());
    const messageId = `killed-${next(2 ** 30)}`;
    const isRewind = id !== undefined && (branch === undefined || next(2) === 0);
    const work: Promise<unknown> =
      reversal !== null
        ? reversal.act('restored')
        : isSend
          ? dying.send(request, { id: messageId }).then((run) => run.result)
          : isRewind
            ? dying.rewind(id)
            : dying.branches.open(branch ?? '', { partly: true });
    await Promise.race([died, work.catch(() => undefined)]);
    await this.reopen();
    const then = await shown(this.session);
    if (reversal !== null) {
      await this.#afterKilled(reversal, now, then);
      return;
    }
    if (isSend) {
      if (this.session.messages().some((message) => message.id === messageId)) {
        this.before.set(messageId, now);
        this.#base = null;
      } else expect(then).toEqual(now);
      return;
    }
    // A branch that is part of another one is opened after that one.
    const possible = [now, isRewind ? this.before.get(id) : opened, ...(isRewind ? [] : this.left.values())];
    if (isRewind || !isPart) expect(possible).toContainEqual(then);
    if (JSON.stringify(then) !== JSON.stringify(now)) this.#base = then;
    const fresh = await this.#fresh();
    await this.#follow(fresh.length === 1 && !isPart ? (fresh[0] ?? null) : null, now);
  }

  async #afterKilled(
    { target, undone, path, restored, expected }: Reversal,
    now: Shown,
    then: Shown,
  ): Promise<void> {
    if ((await this.#isUndone(target)) !== undone) {
      expect(then).toEqual(now);
      return;
    }
    const text = expected === null ? restored : expected.text;
    expect(then.files).toEqual(filesWith(now, [[path, text]]));
    const last = (await this.session.files.history()).at(-1);
    if (last !== undefined) this.#note(last.id, target);
  }
}

function textIn({ files }: Shown, path: string): Text {
  return files.find(([name]) => name === path)?.[1];
}

/** Returns the files with other texts for some paths. */
function filesWith({ files }: Shown, changed: readonly (readonly [string, Text])[]): Shown['files'] {
  const all = new Map(files);
  for (const [path, text] of changed)
    if (text === undefined) all.delete(path);
    else all.set(path, text);
  return [...all].sort(([one], [other]) => (one < other ? -1 : 1));
}

test.each(Array.from({ length: sized(20, 2) }, (_, seed) => seed))(
  'random changes of a conversation show what was there before, and lose nothing (%i)',
  async (seed) => {
    const run = new Run(random(seed + 1), seed % 3 === 1 ? { maxMessages: 10 } : {});
    await run.reopen();
    for (let step = 0; step < OPERATIONS; step++) await run.step();
    await run.session.close();
  },
  120_000,
);
