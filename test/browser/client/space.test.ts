import { afterEach, expect, test } from 'vitest';
import { cdp } from 'vitest/browser';
import { connect, sessions, type AgentEvent, type MemoryExport } from 'rolezero';
import type { ScriptedConfig } from './scripted.worker.js';

const worker = () => new Worker(new URL('./scripted.worker.ts', import.meta.url), { type: 'module' });
const setQuota = (quotaSize?: number) =>
  cdp().send('Storage.overrideQuotaForOrigin', {
    origin: location.origin,
    ...(quotaSize === undefined ? {} : { quotaSize }),
  });

afterEach(() => setQuota());

test('a full browser is told with what could go, and after archiving there is room again', async () => {
  await cdp().send('Storage.clearDataForOrigin', { origin: location.origin, storageTypes: 'all' });
  const { usage = 0 } = await navigator.storage.estimate(); // of tests before it something may be left
  await setQuota(usage + 3_000_000);
  const config: ScriptedConfig = { window: 4 };
  const session = await connect(worker, { session: 'full', config, persist: false });
  const warnings: AgentEvent[] = [];
  session.on((event) => event.type === 'warning' && event.code === 'storage-low' && warnings.push(event));
  const noise = (bytes: number) => {
    const half = crypto.getRandomValues(new Uint8Array(Math.min(bytes, 60_000) / 2));
    return Array.from(half, (byte) => byte.toString(16).padStart(2, '0'))
      .join('')
      .repeat(Math.ceil(bytes / 60_000));
  };
  const items = Array.from({ length: 20 }, (_, number) => {
    const content = `${number} ${noise(60_000)}`;
    const message = { id: `m${number}`, content, role: 'user', causeBy: '', sentFrom: '', sendTo: [] };
    return {
      id: `m${number}`,
      role: '',
      project: '',
      createdAt: number,
      message: { ...message, metadata: {} },
    };
  });
  const document = { format: 'rolezero-memory', version: 1, session: 'elsewhere', items };
  expect(await session.memory.import(document)).toBe(20);
  await session.memory.change('m3', { pinned: true });
  expect((await session.space()).memories).toMatchObject({ count: 19, pinned: 1, oldest: 0 });

  // Each write leaves what was there before in the history.
  const fill = async (): Promise<string> => {
    for (let time = 0; time < 200; time++) {
      try {
        await session.files.write('/a.txt', noise(60_000));
      } catch (error) {
        return (error as { code: string }).code;
      }
    }
    return 'never full';
  };
  expect(await fill()).toBe('storage-full');
  await expect.poll(() => warnings.length).toBeGreaterThan(0);
  const { storage } = await session.space();
  expect(storage?.usage).toBeGreaterThan(1_000_000);
  expect(await session.memory.list()).toHaveLength(20);

  let saved: MemoryExport | undefined;
  const archived = await session.memory.archive({ oldest: 15 }, (archive) => {
    saved = archive;
    return true;
  });
  expect(archived).toBe(15);
  expect(saved?.items.map(({ id }) => id)).toEqual(
    items.map(({ id }) => id).filter((id, place) => id !== 'm3' && place < 16),
  );
  expect(await session.files.forgetHistory(1)).toBeGreaterThan(0);
  await expect.poll(() => session.files.write('/a.txt', 'there is room').then(() => true, String)).toBe(true);
  expect((await session.memory.list()).map(({ id }) => id)).toEqual(['m3', 'm16', 'm17', 'm18', 'm19']);
  await session.close();
  await sessions.remove('full');
});
