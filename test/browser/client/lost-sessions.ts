import { openDB } from 'idb';
import { afterEach } from 'vitest';
import { connect, sessions, type Session } from 'rolezero';
import { fingerprint } from '../../../src/core/fingerprint.js';

const worker = (): Worker => new Worker(new URL('./scripted.worker.ts', import.meta.url), { type: 'module' });
const open: Session[] = [];

export async function visit(name: string): Promise<Session> {
  const session = await connect(worker, { session: name, config: {} });
  open.push(session);
  return session;
}

/** After each test, closes and removes its sessions. */
export function useVisits(): void {
  afterEach(async () => {
    const visits = open.splice(0);
    for (const session of visits) await session.close();
    for (const name of new Set(visits.map((session) => session.name))) await sessions.remove(name);
  });
}

/** Deletes a session from the database without using the library. The database also holds sessions of other tests. */
export async function loseFromDatabase(name: string): Promise<void> {
  const database = await openDB('rolezero');
  const transaction = database.transaction(['sessions', 'records'], 'readwrite');
  await transaction.objectStore('records').delete(IDBKeyRange.bound([name], [name, []]));
  await transaction.objectStore('sessions').delete(name);
  await transaction.done;
  database.close();
}

export async function loseSecondCopy(name: string): Promise<void> {
  const root = await navigator.storage.getDirectory();
  const ours = await root.getDirectoryHandle('rolezero');
  const copies = await ours.getDirectoryHandle(fingerprint('rolezero'));
  await copies.removeEntry(fingerprint(name), { recursive: true });
}
