import { expect, test, vi } from 'vitest';
import { sessions, type AgentEvent } from 'rolezero';
import type { ScriptedConfig } from './scripted.worker.js';

const worker = () => new Worker(new URL('./scripted.worker.ts', import.meta.url), { type: 'module' });

/** A page of its own, in a frame: the browser is asked once per page, and other tests may have asked it in this one. */
async function freshPage() {
  const frame = document.body.appendChild(document.createElement('iframe'));
  const page = frame.contentWindow as Window & typeof globalThis;
  const client = new URL('../../../src/index.ts', import.meta.url).href;
  const { connect } = (await page.eval(`import(${JSON.stringify(client)})`)) as typeof import('rolezero');
  return { connect, storage: page.navigator.storage, leave: () => frame.remove() };
}

test(
  'asks the browser once to persist the data, on the first write of a session, and reports the outcome',
  { tags: 'storage-api' },
  async () => {
    const { connect, storage, leave } = await freshPage();
    vi.spyOn(storage, 'persisted').mockResolvedValue(false);
    const persist = vi.spyOn(storage, 'persist').mockResolvedValue(true);
    const outcomes: AgentEvent[] = [];
    const open = async (name: string, persists: boolean) => {
      const config: ScriptedConfig = {};
      const session = await connect(worker, { session: name, config, persist: persists });
      session.on((event) => event.type === 'storage-persistence' && outcomes.push(event));
      return session;
    };
    const left = await open('left to the page', false);
    await left.files.write('/a.txt', 'a');
    await left.files.write('/b.txt', 'b');
    const asked = await open('asked', true);
    await asked.files.list('/');
    expect([persist.mock.calls.length, outcomes]).toEqual([0, []]);
    await asked.files.write('/a.txt', 'a');
    await expect.poll(() => outcomes).toEqual([{ type: 'storage-persistence', granted: true }]);
    await asked.files.write('/b.txt', 'b');
    const another = await open('another of the page', true);
    await another.files.write('/a.txt', 'a');
    await expect.poll(() => outcomes).toHaveLength(2);
    expect(persist).toHaveBeenCalledTimes(1);
    for (const session of [left, asked, another]) {
      await session.close();
      await sessions.remove(session.name);
    }
    leave();
  },
);
