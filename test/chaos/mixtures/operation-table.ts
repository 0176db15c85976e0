import type { FileHistoryEntry, UndoOptions } from '../../../src/core/files.js';
import { checkTab } from './checks.js';
import { copied, type OwnFile } from './facts.js';
import type { History, Tab } from './history.js';
import { linesOf, pathOf, PATHS, requestOf, TASKS } from './jobs.js';
import type { Operation, OperationKind } from './operations.js';
import { SHARED } from './world.js';

type Perform = (history: History, operation: Operation) => Promise<unknown>;

const FILE_ERRORS = ['not-found', 'invalid', 'conflict', 'permission'];
/** Number of sessions that exist at a time, and of tabs of each. */
const MOST_SESSIONS = 4;
const MOST_TABS = 4;

const pick = <Item>(items: readonly Item[], number: number): Item | undefined =>
  items[number % Math.max(1, items.length)];

/** Undoes one entry of the history of files. */
async function undo(
  history: History,
  operation: Operation,
  choose: (entries: readonly FileHistoryEntry[]) => string | undefined,
): Promise<void> {
  const tab = await history.writer(operation);
  const { files } = tab.client;
  const entries = await history.call('files.history', tab, () => files.history());
  const id = choose(entries ?? []);
  if (entries === null || id === undefined) return;
  const options: UndoOptions = operation.what % 3 === 0 ? { resolve: 'now' } : {};
  const named = entries.filter((entry) => entry.id === id || entry.id.startsWith(`${id}.`));
  const touched = new Set(named.flatMap(({ paths }) => paths));
  const own = [...history.factsOf(tab.session).files].filter(([path]) => touched.has(path));
  for (const [, file] of own) file.undos += 1;
  let isRejected = false;
  const undone = await history.call(
    'files.undo',
    tab,
    () => files.undo(id, options),
    FILE_ERRORS,
    (fate) => (isRejected = fate === 'rejected'),
  );
  // An undo that settled has changed only the paths that it names.
  for (const [path, file] of own)
    if (isRejected || (undone !== null && !undone.paths.includes(path))) file.undos -= 1;
}

/** Changes one note, chosen among those that are stored. */
async function onNote(
  history: History,
  operation: Operation,
  act: (tab: Tab, note: { id: string; text: string }) => Promise<unknown>,
): Promise<void> {
  const tab = await history.writer(operation);
  const notes = await history.call('notes.list', tab, () => tab.client.notes.list());
  const note = pick(notes ?? [], operation.what);
  if (note !== undefined) await act(tab, note);
}

async function onMemory(
  history: History,
  operation: Operation,
  act: (tab: Tab, id: string, isRequest: boolean) => Promise<unknown>,
): Promise<void> {
  const tab = await history.writer(operation);
  const { client } = tab;
  const memories = await history.call('memory.list', tab, () => client.memory.list({ limit: 100_000 }));
  const role = pick(history.roles, operation.what) ?? '';
  const messages = operation.what % 4 === 0 ? await client.messages(role) : [];
  const older = (memories ?? []).map(({ id, message }) => ({ id, causeBy: message.causeBy }));
  const chosen = pick([...older, ...messages], operation.what);
  if (chosen !== undefined) await act(tab, chosen.id, chosen.causeBy === 'UserRequirement');
}

/** Opens a client of a session, unless there are many. */
async function openOne(
  history: History,
  { where, what }: Operation,
  how: { takeOver?: boolean; view?: boolean },
): Promise<void> {
  const name = pick(history.names, where) ?? 's1';
  const living = history.tabs.filter(({ session, state }) => session === name && state === 'open');
  if (living.length < MOST_TABS) await history.open(name, { ...how, shows: what % 2 === 0 });
}

async function close(history: History, tab: Tab): Promise<void> {
  if (tab.state === 'open') tab.state = 'closed';
  await history.call('close', tab, () => tab.client.close());
}

/** Sends a request with some tasks. */
async function send(history: History, operation: Operation, attaches: boolean): Promise<void> {
  const tab = await history.writer(operation);
  const { what } = operation;
  const job = history.next();
  const count = 1 + (what % 4);
  const tasks = Array.from({ length: count }, (_, index) => {
    const drawn = Math.floor(what / 7 ** index);
    return { task: TASKS[drawn % TASKS.length] ?? 'read', detail: drawn % 97 };
  });
  const facts = history.factsOf(tab.session);
  facts.requests.set(job, 'unknown');
  const path = `/uploads/${job}.txt`;
  const content = `attached ${job}`;
  const file: OwnFile = { content, fate: 'unknown', undos: 0 };
  if (attaches) facts.files.set(path, file);
  const to = what % 5 === 0 ? history.roles.at(-1) : undefined;
  const run = tab.client.send(requestOf(job, tasks), {
    ...(to === undefined ? {} : { to }),
    ...(attaches ? { attach: { path, content } } : {}),
  });
  history.follow('send', tab, run, ['inbox-full']);
  const isStored = await history.call('send', tab, () => run.accepted(), ['inbox-full']);
  if (isStored !== true) return;
  facts.requests.set(job, 'stored');
  file.fate = 'stored';
}

export const OPERATION_TABLE: Record<OperationKind, Perform> = {
  open: (history, operation) => openOne(history, operation, {}),
  view: (history, operation) => openOne(history, operation, { view: true }),
  takeOver: (history, operation) => openOne(history, operation, { takeOver: true }),
  async close(history, { where }) {
    const tab = pick(
      history.tabs.filter(({ state }) => state !== 'dead'),
      where,
    );
    if (tab !== undefined) await close(history, tab);
  },
  async kill(history, { where, what }) {
    const open = history.tabs.filter(({ state }) => state === 'open');
    pick(open, where)?.kill(what);
  },
  async reload(history, { where, what }) {
    const tab = pick(
      history.tabs.filter(({ state, client }) => state === 'open' && !client.viewing),
      where,
    );
    if (tab === undefined) return;
    await close(history, tab);
    await history.open(tab.session, { shows: what % 2 === 0 });
  },
  send: (history, operation) => send(history, operation, false),
  attach: (history, operation) => send(history, operation, true),
  async sendRefused(history, operation) {
    const tab = await history.writer(operation);
    const { client } = tab;
    const isLong = operation.what % 2 === 0;
    const refused = isLong ? client.send('x'.repeat(1_000_001), {}) : client.send('hello', { to: 'Nobody' });
    const expected = ['invalid', 'not-found'];
    const accepted = await history.call('send', tab, () => refused.accepted(), expected);
    const result = await history.call('send', tab, () => refused.result(), expected);
    if (accepted !== null || result !== null) history.violations.push('a refused request was accepted');
  },
  async stopAndSend(history, operation) {
    const tab = await history.writer(operation);
    history.track(
      'stop',
      history.call('stop', tab, () => tab.client.stop()),
    );
    await send(history, operation, operation.what % 4 === 0);
  },
  async sendAndClose(history, operation) {
    const sending = [0, 1, 2].map((more) =>
      send(history, { ...operation, what: operation.what + more }, false),
    );
    const tab = await history.writer(operation);
    await Promise.all([close(history, tab), ...sending]);
  },
  async resume(history, operation) {
    const tab = await history.writer(operation);
    history.follow('resume', tab, tab.client.resume(), ['invalid', 'model-request']);
  },
  async stop(history, operation) {
    const tab = await history.writer(operation);
    await history.call('stop', tab, () => tab.client.stop());
  },
  async answer(history, operation) {
    const tab = await history.writer(operation);
    const { client } = tab;
    const { waiting } = client;
    if (waiting === null) {
      await history.call('answer', tab, () => client.answer('none', 'yes'), ['not-found']);
      return;
    }
    const answer = operation.what % 4 === 0 ? 'no' : 'yes';
    history.world.answers.push({ session: tab.session, question: waiting, answer });

    await history.call('answer', tab, () => client.answer(waiting.id, answer), ['not-found']);
    if (operation.what % 2 === 0 && client.resumable)
      history.follow('resume', tab, client.resume(), ['invalid']);
  },
  async answerTwice(history, operation) {
    const tab = await history.writer(operation);
    const { client } = tab;
    const { waiting } = client;
    if (waiting === null) return;
    for (let time = 0; time < 2; time++)
      history.world.answers.push({ session: tab.session, question: waiting, answer: 'yes' });
    const stored: unknown[] = [];
    await Promise.all(
      ['yes', 'yes'].map((answer) =>
        history.call('answer', tab, () => client.answer(waiting.id, answer).then(() => stored.push(answer)), [
          'not-found',
        ]),
      ),
    );
    if (stored.length > 1) history.violations.push('a question was answered twice');
  },
  async openGate(history) {
    history.world.openGate();
  },
  async write(history, operation) {
    const tab = await history.writer(operation);
    const { what } = operation;
    const { files } = tab.client;
    if (what % 2 === 0) {
      await history.call(
        'files.write',
        tab,
        () => files.write(pathOf(what), linesOf(what % 89)),
        FILE_ERRORS,
      );
      return;
    }
    const content = `own ${what}`.repeat(what % 3 === 0 ? 200 : 1);
    const file: OwnFile = { content, fate: 'unknown', undos: 0 };
    const path = `/own/${history.next()}.txt`;
    history.factsOf(tab.session).files.set(path, file);
    await history.call(
      'files.write',
      tab,
      () => files.write(path, file.content),
      [],
      (fate) => (file.fate = fate),
    );
  },
  async writeAll(history, operation) {
    const tab = await history.writer(operation);
    const { what } = operation;
    const inputs = PATHS.map((path, index) => ({ path, content: linesOf((what >> index) % 61) }));
    const existing = (['fail', 'replace', 'keep'] as const)[what % 3] ?? 'fail';
    const how = { existing, ...(what % 5 === 0 ? { untrusted: 'a.zip' } : {}) };
    await history.call('files.writeAll', tab, () => tab.client.files.writeAll(inputs, how), FILE_ERRORS);
  },
  async remove(history, operation) {
    const tab = await history.writer(operation);
    const path = operation.what % 6 === 0 ? '/d' : pathOf(operation.what);
    await history.call('files.remove', tab, () => tab.client.files.remove(path), FILE_ERRORS);
  },
  async move(history, operation) {
    const tab = await history.writer(operation);
    const [from, to] = [pathOf(operation.what), pathOf(Math.floor(operation.what / 10))];
    await history.call('files.move', tab, () => tab.client.files.move(from, to), FILE_ERRORS);
  },
  async copy(history, operation) {
    const tab = await history.writer(operation);
    const [from, to] = [pathOf(operation.what), pathOf(Math.floor(operation.what / 10))];
    await history.call('files.copy', tab, () => tab.client.files.copy(from, to), FILE_ERRORS);
  },
  async makeDirectory(history, operation) {
    const tab = await history.writer(operation);
    await history.call('files.makeDirectory', tab, () => tab.client.files.makeDirectory('/d/e'), FILE_ERRORS);
  },
  undoNewest: (history, operation) =>
    undo(history, operation, (entries) => entries.findLast(({ undone }) => !undone)?.id),
  undoAny: (history, operation) => undo(history, operation, (entries) => pick(entries, operation.what)?.id),
  undoTurn: (history, operation) =>
    undo(history, operation, (entries) => {
      const { step = '' } = pick(entries, operation.what) ?? {};
      return operation.what % 2 === 0 ? step : step.split('.')[0];
    }),
  async forgetHistory(history, operation) {
    const tab = await history.writer(operation);
    const keep = operation.what % 10;
    await history.call('files.forgetHistory', tab, () => tab.client.files.forgetHistory(keep), ['invalid']);
  },
  async writeNote(history, operation) {
    const tab = await history.writer(operation);
    const text = `user note ${history.next()}`;
    const { notes } = history.factsOf(tab.session);
    notes.set(text, 'unknown');
    const role = history.roles[0] ?? '';
    await history.call(
      'notes.write',
      tab,
      () => tab.client.notes.write({ kind: 'fact', text }, { role }),
      ['invalid'],
      (fate) => {
        if (notes.has(text)) notes.set(text, fate); // else it was changed or removed meanwhile
      },
    );
  },
  changeNote: (history, operation) =>
    onNote(history, operation, async (tab, { id, text }) => {
      const changed = `user note ${history.next()}`;
      for (const facts of history.facts.values()) facts.notes.delete(text);
      const change = operation.what % 3 === 0 ? { trusted: true as const } : { text: changed };
      await history.call('notes.change', tab, () => tab.client.notes.change(id, change), ['invalid']);
    }),
  removeNote: (history, operation) =>
    onNote(history, operation, async (tab, { id, text }) => {
      const { notes, removedNotes } = history.factsOf(tab.session);
      notes.delete(text);
      const removed = await history.call('notes.remove', tab, () => tab.client.notes.remove(id));
      if (removed === true && text.startsWith('user note')) removedNotes.add(text);
      if (history.world.settings.notes === 'shared')
        for (const facts of history.facts.values()) facts.notes.delete(text);
    }),
  async copyNotes(history, operation) {
    const from = await history.writer(operation);
    const to = await history.writer({ ...operation, where: operation.where + 1 });
    const document = await history.call('notes.export', from, () => from.client.notes.export());
    const role = history.roles[0] ?? '';
    if (document === null || to.session === from.session) return;
    const { removedNotes } = history.factsOf(to.session);
    for (const { text } of document.notes) removedNotes.delete(text);
    await history.call('notes.import', to, () => to.client.notes.import(document, { role }), ['invalid']);
  },
  changeMemory: (history, operation) =>
    onMemory(history, operation, (tab, id) => {
      const change =
        operation.what % 2 === 0 ? { pinned: operation.what % 3 > 0 } : { content: `changed ${id}` };
      if ('content' in change) history.factsOf(tab.session).mayLackRequests = true;
      return history.call('memory.change', tab, () => tab.client.memory.change(id, change));
    }),
  forget: (history, operation) =>
    onMemory(history, operation, async (tab, id, isRequest) => {
      const facts = history.factsOf(tab.session);
      facts.mayLackRequests = true;
      const isForgotten = await history.call('memory.forget', tab, () => tab.client.memory.forget(id));
      // The rest of a step that is not stored yet is done again after a failure, with the same ids.
      if (isForgotten === true && isRequest) facts.forgotten.add(id);
    }),
  async archive(history, operation) {
    const tab = await history.writer(operation);
    const keeps = operation.what % 2 === 0;
    const facts = history.factsOf(tab.session);
    facts.mayLackRequests = true;
    await history.call('memory.archive', tab, () =>
      tab.client.memory.archive({ oldest: 1 + (operation.what % 3) }, () => keeps),
    );
  },
  async copyMemories(history, operation) {
    const from = await history.writer(operation);
    const to = await history.writer({ ...operation, where: operation.where + 1 });
    const document = await history.call('memory.export', from, () => from.client.memory.export());
    if (document === null || to.session === from.session) return;
    const facts = history.factsOf(to.session);
    facts.mayLackRequests = true;
    for (const { id } of document.items) facts.forgotten.delete(id);
    const role = history.roles[0] ?? '';
    await history.call('memory.import', to, () => to.client.memory.import(document, { role }), ['invalid']);
  },
  async writeAsViewer(history, { where }) {
    const tab = pick(
      history.tabs.filter(({ state, client }) => state === 'open' && client.viewing),
      where,
    );
    if (tab === undefined) return;
    const written = await history.call('files.write', tab, () =>
      tab.client.files.write(`/viewer/${history.next()}.txt`, '').then(() => true),
    );
    if (written === true && tab.client.viewing) history.violations.push('a read-only client has written');
  },
  async fork(history, operation) {
    if (history.names.length >= MOST_SESSIONS) return;
    await history.rest();
    const from = await history.writer({ ...operation, where: 1 + operation.where * 17 });
    if (from.state !== 'open') return;
    const document = await history.call('export', from, () => from.client.export());
    if (document === null) return;
    const name = `s${history.next() + 1}`;
    await history.world.sessions.import(JSON.parse(JSON.stringify(document)), name);
    history.facts.set(name, copied(history.factsOf(from.session)));
  },
  async removeSession(history, { where }) {
    await history.rest();
    const name = pick(history.names, where) ?? 's1';
    for (const tab of history.tabs)
      if (tab.session === name && tab.state !== 'dead') await close(history, tab);
    const holder = await history.writerOf(name); // a dead worker may still have it
    await close(history, holder);
    await history.world.sessions.remove(name);
    history.facts.delete(name);
    history.world.forget(name);
    const remains = await history.world.remainsOf(name);
    if (remains.length > 0) history.violations.push(`the removed ${name} left ${remains.join(', ')}`);
  },
  async removeShared(history) {
    for (const facts of history.facts.values()) {
      facts.mayLackRequests = true;
      if (history.world.settings.notes === 'shared') facts.notes.clear();
    }
    await history.world.sessions
      .removeShared(SHARED)
      .catch((error: unknown) => history.refused('removeShared', error, ['storage-closed']));
  },
  clearData: (history, { what }) => history.clearData(what),
  async fillDisk(history) {
    history.wasFull = true;
    history.world.setDiskFull(true);
  },
  async freeDisk(history) {
    history.world.setDiskFull(false);
  },
  async turnClock(history, { what }) {
    history.world.turnClock((what % 2 === 0 ? 1 : -1) * (what % 100_000) * 1_000);
  },
  async check(history, operation) {
    await history.rest();
    history.world.setDiskFull(false);
    const name = pick(history.names, operation.where) ?? 's1';
    if (history.violations.length === 0) await checkTab(history, await history.writerOf(name), 'a check');
  },
};
