import { describe, expect, it } from 'vitest';
import type { Storage } from '../../../src/core/store.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { longTermMemory } from '../../../src/parts/long-term/long-term.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/index.js';
import { answering } from './answering.js';
import { alive, killedStorage, type Log } from './storages.js';

const EARLIER = 'The key is under the mat.';
const SENT = ['Count the sheep.', 'Where is the key?'];

function open(storage: Storage, name: string): Promise<Session> {
  const memory = longTermMemory({ maxMessages: 3, shared: 'project', maxItems: 7 });
  return Session.open({
    storage,
    name,
    takeOver: true,
    roles: [new RoleZero({ model: answering(), longTermMemory: memory })],
    askUser: null,
    emit: () => {},
    now: () => 0,
  });
}

async function say(session: Session, requests: readonly string[]): Promise<void> {
  for (const request of requests) await (await session.send(request)).result;
}

/** A storage with memories of another session. They are near their limit, so that later ones displace some. */
async function fresh(hasLog: boolean): Promise<{ storage: Storage; log: Log | null }> {
  const storage = memoryStorage();
  const other = await open(storage, 'other');
  await say(other, [EARLIER, 'Count the goats.']);
  await other.close();
  return { storage, log: hasLog ? { writes: [], random: null } : null };
}

/** What must not depend on interruptions; ids are numbered in order of appearance. */
async function remains(session: Session): Promise<unknown> {
  const text = JSON.stringify([await session.memory.list(), session.messages()]);
  const ids = new Map<string, number>();
  return JSON.parse(
    text.replace(/[0-9a-f]{32}/g, (id) => {
      if (!ids.has(id)) ids.set(id, ids.size);
      return `#${ids.get(id)}`;
    }),
  );
}

describe.each([
  ['commit', false],
  ['commit and log entry', true],
] as const)('a session with a shared memory that is killed at every %s', (_what, hasLog) => {
  it('loses no message and stores none twice', async () => {
    const reference = await fresh(hasLog);
    const counted = alive();
    const whole = await open(killedStorage(reference.storage, reference.log, counted), 's');
    await say(whole, SENT);
    const expected = await remains(whole);
    const sessions = (await whole.memory.list()).map(({ shared }) => shared?.session);
    expect(sessions).toHaveLength(7);
    expect(new Set(sessions)).toEqual(new Set(['other', 's']));
    expect(counted.count).toBeGreaterThan(8);

    for (let point = 1; point <= counted.count; point++) {
      for (const moment of ['before', 'after'] as const) {
        const { storage, log } = await fresh(hasLog);
        const died = new Promise<void>((resolve) => {
          const dying = killedStorage(storage, log, { point, moment, count: 0, die: resolve });
          void open(dying, 's').then((first) => say(first, SENT).catch(() => {}));
        });
        await died;
        const second = await open(killedStorage(storage, log, alive()), 's');
        if (second.resumable) await (await second.resume()).result;
        const known = [...(await second.memory.list()).map(({ message }) => message), ...second.messages()];
        const heard = new Set(known.map(({ content }) => content));
        await say(
          second,
          SENT.filter((request) => !heard.has(request)),
        );
        expect(await remains(second), `killed ${moment} write ${point} of ${counted.count}`).toEqual(
          expected,
        );
        await second.close();
      }
    }
  }, 60_000);
});
