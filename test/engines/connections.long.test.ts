import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { servePage } from '../e2e/chromium.js';
import type {} from '../e2e/connections/main.js';
import { sampled } from '../size.js';
import { hostilePage, VECTORS } from './connection-vectors.js';
import { inEachEngine } from './in-each-engine.js';

/** Ways that connect although a page is confined: nothing of them can be seen before the browser acts. The threat model names them. */
const OPEN: Record<'chromium' | 'firefox', readonly string[]> = {
  chromium: ['location.href, unseen', 'location by a hidden name in a frame'],
  firefox: [],
};

const TRIED = sampled(VECTORS, 1);

let site: Awaited<ReturnType<typeof servePage>>;

beforeAll(async () => {
  site = await servePage('connections');
});
afterAll(() => site?.close());

/** A server without a protocol, which counts connections and closes them. */
async function listen(): Promise<{ sink: string; count: () => number; close: () => Server }> {
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.on('error', () => {});
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { sink: `http://127.0.0.1:${port}/secret`, count: () => count, close: () => server.close() };
}

inEachEngine(
  (browser, engine) => {
    /** Shows a page for each way, each with a server of its own. Returns the ways by which a server was reached. */
    const reached = async (isConfined: boolean): Promise<string[]> => {
      const sinks = await Promise.all(TRIED.map(listen));
      const tab = await browser().open(site.url);
      const documents = TRIED.map((vector, index) => hostilePage(vector, sinks[index]?.sink ?? ''));
      await tab.evaluate((pages) => window.showAll(pages.documents, pages.isConfined), {
        documents,
        isConfined,
      });
      await tab.close();
      const names = TRIED.filter((_, index) => (sinks[index]?.count() ?? 0) > 0).map(({ name }) => name);
      for (const { close } of sinks) close();
      return names;
    };

    it('connects to no server for a page of a session, except in ways that cannot be seen before', async () => {
      expect(new Set(VECTORS.map(({ name }) => name)).size).toBe(VECTORS.length);
      const plain = await reached(false);
      console.log(`${engine}: ${plain.length} of ${TRIED.length} ways connect without confinement`);
      expect(plain.length).toBeGreaterThan(TRIED.length / 2); // the servers are reachable
      const confined = await reached(true);
      console.log(`${engine}: confined, ${confined.length} of ${TRIED.length}: ${confined.join(', ')}`);
      const open = OPEN[engine as 'chromium'];
      expect(confined).toEqual(open.filter((name) => TRIED.some((vector) => vector.name === name)));
    });
  },
  ['chromium', 'firefox'],
);
