import { describe, expect, it } from 'vitest';
import type { ChatModel } from '../../../src/core/model.js';
import type { Storage } from '../../../src/core/store.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { notes } from '../../../src/notes/index.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { commands } from '../../../src/testing/index.js';
import { alive, killedStorage, type Log } from '../session/storages.js';

const OLD = '0a1b2c3d';
const STALE = '4e5f6071';
const STEPS = [
  commands(
    ['Notes.write', { kind: 'fact', text: 'The office is in Oslo.' }],
    ['Notes.write', { kind: 'decision', text: 'Ship on Friday.', replaces: OLD }],
    ['Notes.write', { kind: 'summary', text: 'Moved the office.' }],
  ),
  commands(['Notes.write', { kind: 'summary', text: 'Moved the office, and planned a release.' }]),
  commands(['Notes.remove', { id: STALE }], ['Notes.write', { kind: 'fact', text: 'Ann leads.' }]),
  commands(['RoleZero.reply_to_human', { content: 'Done.' }], ['end', {}]),
];

/** Replies depend on the conversation alone, like those of a real model at temperature 0. */
const model: ChatModel = {
  id: 'by conversation',
  contextWindow: 100_000,
  async *chat({ messages, purpose }) {
    const given = messages.filter(({ role }) => role === 'assistant').length;
    yield { type: 'text-delta', text: purpose === 'think' ? (STEPS[given] ?? 'none') : `${purpose}.` };
    yield { type: 'usage', promptTokens: 1, completionTokens: 1 }; // estimates depend on ids
    yield { type: 'finish', reason: 'stop' };
  },
};

interface World {
  storage: Storage;
  log: Log | null;
}

function open(storage: Storage, shared: string | null): Promise<Session> {
  return Session.open({
    storage,
    name: 's',
    takeOver: true,
    roles: [new RoleZero({ model, notes: notes(shared === null ? {} : { shared }) })],
    askUser: null,
    emit: () => {},
    now: () => 0,
  });
}

/** Imports two notes from before. */
async function bringNotes(session: Session): Promise<void> {
  const note = (id: string, text: string) => ({
    id,
    kind: 'decision',
    role: 'Zero',
    text,
    createdAt: 0,
    by: 'user',
    earlier: [],
  });
  const listed = [note(OLD, 'Ship on Monday.'), note(STALE, 'Bob leads.')];
  await session.notes.import({ format: 'rolezero-notes', version: 1, notes: listed }, { trusted: true });
}

/** A session with two notes from before. */
async function fresh(hasLog: boolean, shared: string | null): Promise<World> {
  const storage = memoryStorage();
  const session = await open(storage, shared);
  await bringNotes(session);
  await session.close();
  return { storage, log: hasLog ? { writes: [], random: null } : null };
}

/** What must not depend on interruptions; ids are numbered in order of appearance, and tokens are estimated with them. */
async function remains(session: Session): Promise<unknown> {
  const text = JSON.stringify([await session.notes.list(), session.messages(), await session.steps()]);
  const ids = new Map<string, number>();
  const numbered = text.replace(/(?<![0-9a-f])(?:[0-9a-f]{32}|[0-9a-f]{8})(?![0-9a-f])/g, (id) => {
    if (!ids.has(id)) ids.set(id, ids.size);
    return `#${ids.get(id)}`;
  });
  return JSON.parse(numbered.replace(/"promptHash":"[0-9a-f]+"/g, '"promptHash":""'));
}

describe.each([
  ['notes that is killed at every commit', false, null],
  ['notes that is killed at every commit and log entry', true, null],
  ['shared notes that is killed at every commit', false, 'project'],
  ['shared notes that is killed at every commit and log entry', true, 'project'],
] as const)('a run with %s', (_what, hasLog, shared) => {
  it('loses no note and stores none twice', async () => {
    const reference = await fresh(hasLog, shared);
    const counted = alive();
    const whole = await open(killedStorage(reference.storage, reference.log, counted), shared);
    expect(await (await whole.send('Plan it.')).result).toMatchObject({ status: 'done' });
    const listed = await whole.notes.list();
    expect(listed.map(({ text, earlier }) => [text, ...earlier.map((version) => version.text)])).toEqual([
      ['The office is in Oslo.'],
      ['Ship on Friday.', 'Ship on Monday.'],
      ['Moved the office, and planned a release.', 'Moved the office.'],
      ['Ann leads.'],
    ]);
    const expected = await remains(whole);
    expect(counted.count).toBeGreaterThan(8);

    for (let point = 1; point <= counted.count; point++) {
      for (const moment of ['before', 'after'] as const) {
        const { storage, log } = await fresh(hasLog, shared);
        const died = new Promise<void>((resolve) => {
          const dying = killedStorage(storage, log, { point, moment, count: 0, die: resolve });
          void open(dying, shared).then((first) => first.send('Plan it.'));
        });
        await died;
        const second = await open(killedStorage(storage, log, alive()), shared);
        const where = `killed ${moment} write ${point} of ${counted.count}`;
        if (second.resumable) await (await second.resume()).result;
        else if (second.lastRun === null) await (await second.send('Plan it.')).result;
        expect(second.lastRun, where).toMatchObject({ status: 'done' });
        expect(await remains(second), where).toEqual(expected);
        await second.close();
      }
    }
  });
});
