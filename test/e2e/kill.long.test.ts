/** @module-tag nightly */
import type { Browser, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startFaultServer, type FaultServer } from '../fault-server/fault-server.js';
import { servePage, startChromium } from './chromium.js';
import { commands } from '../../src/testing/scripted-model.js';
import { MAIN_JOB_FILES, MAIN_JOB_REQUEST, MAIN_JOB_STEPS, mainJobReply } from './main-job.js';
import type { Remains } from './kill/main.js';

/** The main job, with notes that sessions share. */
const STEPS = MAIN_JOB_STEPS.toSpliced(
  2,
  0,
  commands(
    ['Notes.write', { kind: 'fact', text: 'The bakery has a page.' }],
    ['Notes.write', { kind: 'summary', text: 'Began a page.' }],
  ),
  commands(['Notes.write', { kind: 'summary', text: 'Wrote a page.' }]),
);
const NOTES = [['The bakery has a page.'], ['Wrote a page.', 'Began a page.']];

let browser: Browser;
let page: Page;
let server: FaultServer;
let site: Awaited<ReturnType<typeof servePage>>;

beforeAll(async () => {
  site = await servePage('kill');
  server = await startFaultServer();
  server.script([(request) => mainJobReply(request, STEPS)], 'repeat');
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

/** Runs the main job and kills its worker at a commit, then resumes. Point 0: no kill. */
function run(point: number, moment: 'before' | 'after'): Promise<Remains> {
  return page.evaluate(([url, request, at, when]) => window.runAndKill(url, request, at, when), [
    server.url,
    MAIN_JOB_REQUEST,
    point,
    moment,
  ] as const);
}

describe('a worker killed before and after every commit of the main job', () => {
  it('always resumes to the same messages, memories, plan, files and notes', async () => {
    const { commits, kinds, questions, ...expected } = await run(0, 'before');
    expect(expected.status).toBe('done');
    expect(expected.found.files).toEqual(MAIN_JOB_FILES);
    expect(expected.found.notes).toEqual(NOTES);
    expect(expected.found.memories.length).toBeGreaterThan(5);
    expect(questions).toBe(1);
    expect(commits).toBeGreaterThan(20);
    const calls = server.requests.length;
    for (const point of kinds.map((_kind, index) => index + 1)) {
      for (const moment of ['before', 'after'] as const) {
        const requestsBefore = server.requests.length;
        const { commits: _commits, kinds: _kinds, questions: asked, ...remains } = await run(point, moment);
        const when = `killed ${moment} commit ${point} of ${commits} (${kinds[point - 1] ?? ''})`;
        expect(remains, when).toEqual(expected);
        expect(asked, `questions when ${when}`).toBeLessThanOrEqual(2);
        // A kill loses at most the one paid reply whose commit did not happen.
        expect(server.requests.length - requestsBefore, `model calls when ${when}`).toBeLessThanOrEqual(
          calls + 1,
        );
      }
    }
  });
});
