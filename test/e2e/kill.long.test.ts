import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFaultServer, type FaultServer } from '../fault-server/fault-server.js';
import { servePage, startChromium } from './chromium.js';
import type { Remains } from './kill/main.js';
import { MAIN_JOB_FILES, MAIN_JOB_REQUEST, mainJobReply } from './main-job.js';

let browser: Browser;
let page: Page;
let server: FaultServer;
let site: Awaited<ReturnType<typeof servePage>>;

beforeAll(async () => {
  site = await servePage('kill');
  server = await startFaultServer();
  server.script([mainJobReply], 'repeat');
  browser = await startChromium();
  page = await browser.newPage();
  await page.goto(site.url);
  await page.waitForFunction(() => typeof window.runAndKill === 'function');
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
  await site?.close();
});

/** 0 runs undisturbed. */
function run(point: number, moment: 'before' | 'after'): Promise<Remains> {
  return page.evaluate(([url, request, at, when]) => window.runAndKill(url, request, at, when), [
    server.url,
    MAIN_JOB_REQUEST,
    point,
    moment,
  ] as const);
}

describe('the worker is terminated at every commit of the main job', () => {
  it('and every time the session ends with the same messages, plan and files', async () => {
    const { commits, ...expected } = await run(0, 'before');
    expect(expected.status).toBe('done');
    expect(expected.found.files).toEqual(MAIN_JOB_FILES);
    expect(expected.questions).toBe(1);
    expect(commits).toBeGreaterThan(20);
    const calls = server.requests.length;
    for (let point = 1; point <= commits; point++) {
      for (const moment of ['before', 'after'] as const) {
        const before = server.requests.length;
        const { commits: _later, questions, ...remains } = await run(point, moment);
        const { questions: _once, ...same } = expected;
        expect(remains, `killed ${moment} commit ${point} of ${commits}`).toEqual(same);
        expect(questions, `questions when killed ${moment} commit ${point}`).toBeLessThanOrEqual(2);
        // One reply at most was paid for and lost: the one whose commit did not happen.
        expect(
          server.requests.length - before,
          `calls when killed ${moment} commit ${point}`,
        ).toBeLessThanOrEqual(calls + 1);
      }
    }
  });
});
