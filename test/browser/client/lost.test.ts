import { describe, expect, it } from 'vitest';
import type { AgentEvent } from 'rolezero';
import { loseFromDatabase, loseSecondCopy, useVisits, visit } from './lost-sessions.js';

useVisits();

describe('a session that the browser discarded', { tags: 'storage-api' }, () => {
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

  it('is reported once when nothing of it is left, instead of opening an empty session', async () => {
    const first = await visit('lost-2');
    await first.files.write('/a.txt', 'gone');
    await first.close();
    await loseFromDatabase('lost-2');
    await loseSecondCopy('lost-2');
    await expect(visit('lost-2')).rejects.toMatchObject({
      code: 'storage-lost',
      message: expect.stringContaining('sessions.import()') as string,
    });
    const again = await visit('lost-2');
    expect(await again.files.list('/')).toEqual([]);
  });
});
