import { openDB } from 'idb';
import { afterEach, describe, expect, it } from 'vitest';
import { connect, sessions, type AgentEvent, type Session } from 'rolezero';
import { fingerprint } from '../../../src/core/fingerprint.js';

const worker = (): Worker => new Worker(new URL('./scripted.worker.ts', import.meta.url), { type: 'module' });
const open: Session[] = [];

async function visit(name: string): Promise<Session> {
  const session = await connect(worker, { session: name, config: {} });
  open.push(session);
  return session;
}

afterEach(async () => {
  const visits = open.splice(0);
  for (const session of visits) await session.close();
  for (const name of new Set(visits.map((session) => session.name))) await sessions.remove(name);
});

/** Takes a session out of the database behind the library's back; other tests have theirs in there. */
async function loseFromDatabase(name: string): Promise<void> {
  const database = await openDB('rolezero');
  const transaction = database.transaction(['sessions', 'records'], 'readwrite');
  await transaction.objectStore('records').delete(IDBKeyRange.bound([name], [name, []]));
  await transaction.objectStore('sessions').delete(name);
  await transaction.done;
  database.close();
}

async function loseSecondCopy(name: string): Promise<void> {
  const root = await navigator.storage.getDirectory();
  const ours = await root.getDirectoryHandle('rolezero');
  const copies = await ours.getDirectoryHandle(fingerprint('rolezero'));
  await copies.removeEntry(fingerprint(name), { recursive: true });
}

describe('what the browser discards', () => {
  it('is restored, and the first listener is notified', async () => {
    const first = await visit('lost-1');
    await first.files.write('/a.txt', 'kept');
    await first.close();
    await loseFromDatabase('lost-1');
    const second = await visit('lost-1');
    expect(await second.files.read('/a.txt')).toBe('kept');
    const heard: AgentEvent[] = [];
    second.on((event) => heard.push(event));
    await expect.poll(() => heard).toMatchObject([{ type: 'warning', code: 'storage-restored' }]);
  });

  it('is named when nothing of it is left, once, instead of an empty session under the old name', async () => {
    const first = await visit('lost-2');
    await first.files.write('/a.txt', 'gone');
    await first.close();
    await loseFromDatabase('lost-2');
    await loseSecondCopy('lost-2');
    await expect(visit('lost-2')).rejects.toMatchObject({
      code: 'storage-lost',
      message: expect.stringContaining('sessions.import()') as string,
    });
    const anew = await visit('lost-2');
    expect(await anew.files.list('/')).toEqual([]);
  });

  it('reports a loss when only the newest part is lost and no copy has it', async () => {
    const first = await visit('lost-3');
    await first.files.write('/a.txt', 'old');
    const old = await openDB('rolezero').then(async (database) => {
      const row: unknown = await database.get('sessions', 'lost-3');
      database.close();
      return row;
    });
    await first.files.write('/a.txt', 'new');
    await first.close();
    await loseSecondCopy('lost-3');
    const database = await openDB('rolezero');
    await database.put('sessions', old);
    database.close();
    const second = await visit('lost-3');
    const heard: AgentEvent[] = [];
    second.on((event) => heard.push(event));
    await expect.poll(() => heard).toMatchObject([{ code: 'storage-rolled-back', detail: { lost: 1 } }]);
  });

  it('is not what a user removed', async () => {
    const first = await visit('lost-4');
    await first.files.write('/a.txt', 'unwanted');
    await first.close();
    await sessions.remove('lost-4');
    expect(localStorage.getItem('rolezero:lost-4')).toBeNull();
    const second = await visit('lost-4');
    expect(await second.files.list('/')).toEqual([]);
  });

  it('cannot be mistaken because of strange texts in the page’s storage', async () => {
    for (const strange of ['no json', '[null, 1, {}]', '{"place": "rolezero"}']) {
      localStorage.setItem('rolezero:lost-5', strange);
      const session = await visit('lost-5');
      await session.close();
      await sessions.remove('lost-5');
    }
  });
});
