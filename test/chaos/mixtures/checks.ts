import type { MessageData } from '../../../src/core/message.js';
import { type History, type Tab } from './history.js';
import type { Settings } from './operations.js';
import { contentOf, differs, snapshotOf, type Snapshot } from './snapshot.js';
import type { MixedClient } from './world.js';

/** Visits after which interrupted work must have ended. */
const MOST_VISITS = 60;
/** Turns of the event loop after which a read-only client must have received all events. */
const VIEWER_TURNS = 1_000;

/** Completes the work of a session, and compares what its tab shows with a fresh one, with a copy, and with what was promised. */
export async function checkTab(history: History, tab: Tab, when: string): Promise<void> {
  const { violations, roles, world } = history;
  const { session, client } = tab;
  const fail = (what: string): void => void violations.push(`${session} at ${when}: ${what}`);
  await complete(history, tab, fail);
  if (violations.length > 0) return;
  const live = await snapshotOf(client, roles);
  for (const viewer of history.tabs)
    if (viewer.session === session && viewer.state === 'open' && viewer.client.viewing)
      await checkViewer(history, viewer.client, live, fail);
  // On a full disk, a file may be removed without history.
  if (!history.wasFull) await checkUndo(client, fail);
  checkFacts(history, tab, live, fail);

  tab.state = 'closed';
  await client.close();
  const fresh = await history.writerOf(session);
  const reloaded = await snapshotOf(fresh.client, roles);
  const ofSession = (shown: Snapshot): Snapshot => own(withoutUndo(shown), world.settings);
  compare('a reload', ofSession(live), ofSession(reloaded), fail);
  const document = await fresh.client.export();

  const copy = `${session} copy ${history.next()}`;
  await world.sessions.import(JSON.parse(JSON.stringify(document)), copy);
  compare('a copy', contentOf(document), contentOf(await world.sessions.export(copy)), fail);
  const opened = await history.open(copy, {});
  if (opened === null) {
    fail('its copy cannot be opened');
    return;
  }
  compare(
    'an opened copy',
    withoutAnswered(reloaded),
    withoutAnswered(await snapshotOf(opened.client, roles)),
    fail,
  );
  await opened.client.close();
  compare('a used copy', contentOf(document), contentOf(await world.sessions.export(copy)), fail);
  await world.sessions.remove(copy);
  history.tabs.splice(history.tabs.indexOf(opened), 1);
  history.facts.delete(copy);
  const remains = await world.remainsOf(copy);
  if (remains.length > 0) fail(`the removed copy left ${remains.join(', ')}`);
}

/** Compares what a read-only client shows with what the writer shows, as soon as it has received all events. */
async function checkViewer(
  { roles, world }: History,
  viewer: MixedClient,
  live: Snapshot,
  fail: (what: string) => void,
): Promise<void> {
  const isSame = (): boolean =>
    differs(
      [viewer.waiting, viewer.lastRun?.status],
      [live['waiting'], (live['lastRun'] as typeof viewer.lastRun)?.status],
    ) === null;
  for (let turn = 0; turn < VIEWER_TURNS && !isSame() && viewer.viewing; turn++) await world.turns(1);
  const shown = await snapshotOf(viewer, roles);
  if (viewer.viewing) compare('a read-only client', { ...live, resumable: false }, shown, fail);
}

function compare(what: string, before: unknown, after: unknown, fail: (what: string) => void): void {
  const difference = differs(before, after);
  if (difference !== null) fail(`${what} differs at ${difference}`);
}

/** The history of files grows by the undo of the check and its undo, which also change dates. */
function withoutUndo({ history: _history, files, ...rest }: Snapshot): Snapshot {
  const contents = (files as { path: string; bytes?: string }[]).map(({ path, bytes }) => [path, bytes]);
  return { ...rest, files: contents };
}

/** Other sessions change what they share. */
function own({ memories, notes, ...rest }: Snapshot, { memory, notes: noted }: Settings): Snapshot {
  return { ...rest, ...(memory === 'shared' ? {} : { memories }), ...(noted === 'shared' ? {} : { notes }) };
}

/** Answers are permissions, so a copy asks again what its role has not read yet. */
function withoutAnswered({ waiting: _waiting, ...rest }: Snapshot): Snapshot {
  return rest['resumable'] === true ? rest : { ...rest, waiting: _waiting };
}

/** Answers and resumes until nothing is left to do. */
async function complete(
  history: History,
  { client, session }: Tab,
  fail: (what: string) => void,
): Promise<void> {
  history.world.setGate(true);
  try {
    for (let visit = 0; visit < MOST_VISITS; visit++) {
      const { waiting } = client;
      if (waiting !== null && !client.isRunning) {
        history.world.answers.push({ session, question: waiting, answer: 'yes' });
        await history.limited('answer', client.answer(waiting.id, 'yes'));
      }
      if (!client.resumable) return;
      const run = client.resume();
      const { status, error } = await history.limited('resume', run.result());
      if (status === 'done') continue;
      if (status === 'failed' && error?.code === 'model-request') return; // it fails again each time
      if (status === 'failed') fail(`the run failed with ${String(error?.code)}`);
      if (status === 'exhausted') return;
    }
    fail(`its work has not ended after ${MOST_VISITS} visits`);
  } finally {
    history.world.setGate(false);
  }
}

/** Undoes the newest change and undoes that: both must restore each byte. */
async function checkUndo({ files }: MixedClient, fail: (what: string) => void): Promise<void> {
  const entries = await files.history();
  const newest = entries.findLast(({ undone }) => !undone);
  const last = entries.at(-1);
  if (last === undefined || newest === undefined || newest.id !== last.id) return;
  const before = entries.at(-2);
  const current = async (): Promise<Record<string, string>> =>
    Object.fromEntries((await files.readAll()).map(({ path, content }) => [path, String(content)]));
  const now = await current();
  const { id, conflicts } = await files.undo(last.id);
  if (conflicts.length > 0) return; // it was changed at the same time as another
  const undone = await current();
  for (const path of before === undefined ? [] : last.paths) {
    const was = await files.bytesAfter(before?.id ?? '', path).then(String, () => undefined);
    if (undone[path] !== was)
      fail(`the undo of ${last.name} made ${path} ${undone[path] ?? 'absent'} and not ${was ?? 'absent'}`);
  }
  await files.undo(id);
  const redone = differs(now, await current());
  if (redone !== null) fail(`the undo of the undo of ${last.name} differs at ${redone}`);
}

/** Compares the visible state with what the calls have promised. */
function checkFacts(history: History, { session }: Tab, live: Snapshot, fail: (what: string) => void): void {
  const facts = history.factsOf(session);
  const { settings, effects, answers } = history.world;
  const messages = (live['messages'] as MessageData[][]).flat();
  const memories = (live['memories'] as { id: string; message: MessageData }[]).map(({ id, message }) => ({
    ...message,
    id,
  }));
  const known = settings.memory === 'shared' ? messages : [...messages, ...memories];
  const byId = new Map<string, number>();
  for (const { id } of known) byId.set(id, (byId.get(id) ?? 0) + 1);
  if (settings.roles === 1)
    for (const [id, times] of byId) if (times > 1) fail(`message ${id} exists ${times} times`);
  for (const [job, fate] of facts.requests) {
    const copies = known.filter(
      ({ content, causeBy }) => causeBy === 'UserRequirement' && content.startsWith(`Job ${job}:`),
    );
    // The memories of one role may have been imported into those of another.
    const found = new Set(copies.map(({ id }) => id)).size;
    if (found > 1) fail(`request ${job} exists ${found} times`);
    if (fate === 'rejected' && found > 0) fail(`the rejected request ${job} exists`);
    const mustExist = live['resumable'] === false && settings.memory !== 'shared' && !facts.mayLackRequests;
    if (fate === 'stored' && found === 0 && mustExist) fail(`the stored request ${job} is missing`);
  }
  for (const id of facts.forgotten)
    if (settings.memory !== 'shared' && byId.has(id)) fail(`the forgotten message ${id} exists`);
  const files = new Map(
    (live['files'] as { path: string; bytes?: string }[]).map(({ path, bytes }) => [path, bytes]),
  );
  for (const [path, { content, fate, undos }] of facts.files) {
    const found = files.get(path);
    const expected = String(new TextEncoder().encode(content));
    if (fate === 'stored' && undos === 0 && found !== expected) fail(`${path} is ${found}, and was written`);
    if (fate === 'rejected' && found !== undefined) fail(`${path} exists, and was rejected`);
  }
  const texts = (live['notes'] as { text: string }[]).map(({ text }) => text);
  for (const [text, fate] of facts.notes) {
    const found = texts.filter((each) => each === text).length;
    if (settings.notes !== 'none' && fate === 'stored' && found !== 1)
      fail(`note "${text}" exists ${found} times`);
    if (fate === 'rejected' && found > 0) fail(`the rejected note "${text}" exists`);
  }
  for (const text of facts.removedNotes) if (texts.includes(text)) fail(`the removed note "${text}" exists`);
  const { calls } = live['usage'] as { calls: number };
  if (calls < facts.calls) fail(`usage fell from ${facts.calls} to ${calls} calls`);
  facts.calls = calls;
  for (const what of new Set(
    effects.filter((effect) => effect.session === session).map((effect) => effect.what),
  )) {
    const times = effects.filter((effect) => effect.session === session && effect.what === what).length;
    const sent = facts.requests.size + facts.clearedRequests; // each request names each mail at most four times
    const approved = answers.filter(
      ({ session: where, question, answer }) =>
        where === session &&
        answer === 'yes' &&
        (JSON.stringify(question).includes(what) || question.text.startsWith('Mail.send was interrupted')),
    ).length;
    const most = settings.asks ? approved : approved + 4 * sent;
    if (times > most) fail(`${what} took effect ${times} times, and was approved ${approved} times`);
  }
}
