import { afterAll, beforeAll, expect, it } from 'vitest';
import { servePage } from '../e2e/chromium.js';
import type {} from '../e2e/kill/main.js';
import { MAIN_JOB_FILES, MAIN_JOB_REQUEST, mainJobReply } from '../e2e/main-job.js';
import { startFaultServer, type FaultServer } from '../fault-server/fault-server.js';
import { isInstalled } from './engines.js';
import { inEachEngine } from './in-each-engine.js';

/** `e2e/kill.long.test.ts` runs it in Chromium. */
const OTHERS = ['firefox', 'webkit'] as const;

let server: FaultServer;
let site: Awaited<ReturnType<typeof servePage>>;

beforeAll(async () => {
  if (!OTHERS.some(isInstalled)) return;
  site = await servePage('kill');
  server = await startFaultServer();
  server.script([mainJobReply], 'repeat');
});
afterAll(async () => {
  await server?.close();
  await site?.close();
});

inEachEngine((browser) => {
  it('runs the main job over HTTP, and again with a worker that is lost in its middle', async () => {
    const tab = await browser().open(site.url);
    const given = { url: server.url, request: MAIN_JOB_REQUEST };
    const whole = await tab.evaluate(
      ({ url, request }) => window.runAndKill(url, request, 0, 'before'),
      given,
    );
    expect(whole).toMatchObject({ status: 'done', questions: 1, found: { files: MAIN_JOB_FILES } });
    const middle = { ...given, point: Math.floor(whole.commits / 2) };
    const resumed = await tab.evaluate(
      ({ url, request, point }) => window.runAndKill(url, request, point, 'after'),
      middle,
    );
    expect(resumed.status).toBe('done');
    expect(resumed.found).toEqual(whole.found);
  });
}, OTHERS);
