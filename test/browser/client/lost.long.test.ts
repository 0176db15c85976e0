import { openDB } from 'idb';
import { describe, expect, it } from 'vitest';
import { sessions, type AgentEvent } from 'rolezero';
import { loseSecondCopy, useVisits, visit } from './lost-sessions.js';

useVisits();

describe('a session that the browser discarded', () => {
  it('is reported as lost when its newest commits are missing and no replica has them', async () => {
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

  it('is not reported as lost when the user removed it', async () => {
    const first = await visit('lost-4');
    await first.files.write('/a.txt', 'unwanted');
    await first.close();
    await sessions.remove('lost-4');
    expect(localStorage.getItem('rolezero:lost-4')).toBeNull();
    const second = await visit('lost-4');
    expect(await second.files.list('/')).toEqual([]);
  });

  it('ignores malformed entries in the page’s storage', async () => {
    for (const strange of ['no json', '[null, 1, {}]', '{"place": "rolezero"}']) {
      localStorage.setItem('rolezero:lost-5', strange);
      const session = await visit('lost-5');
      await session.close();
      await sessions.remove('lost-5');
    }
  });
});
