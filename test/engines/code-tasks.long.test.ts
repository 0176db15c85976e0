import { afterAll, beforeAll, expect, it } from 'vitest';
import { Collector } from '../../scripts/eval/collect.js';
import { judge } from '../../scripts/eval/judge.js';
import { setupOf } from '../../scripts/eval/rolezero-loop.js';
import type { Failure, Task, TextFiles } from '../../scripts/eval/task.js';
import { codeTasks } from '../../scripts/eval/tasks/code.js';
import { servePage } from '../../scripts/try/page-server.js';
import type { Answer, Setup } from '../../scripts/try/page/bridge.js';
import type { AgentEvent } from '../../src/core/events.js';
import { CODE_MISTAKES, CODE_SOLUTIONS } from '../eval/code-solutions.js';
import { solvingReply } from '../eval/model.js';
import type { Solution } from '../eval/solution.js';
import { startFaultServer, type FaultServer } from '../fault-server/fault-server.js';
import type { EngineBrowser, Tab } from './engine-browser.js';
import { inEachEngine } from './in-each-engine.js';
import { firstOf } from '../size.js';

let server: FaultServer;
let site: Awaited<ReturnType<typeof servePage>>;

beforeAll(async () => {
  server = await startFaultServer();
  site = await servePage();
});
afterAll(async () => {
  await server?.close();
  await site?.close();
});

const noSandbox = () => Promise.resolve({ problem: 'No check of these tasks needs a page.' });

interface Done {
  files: TextFiles;
  printed: string;
  events: AgentEvent[];
}

/** Runs in the page of `npm run eval`: works on a task, and runs its probe. */
async function work(given: {
  url: string;
  id: string;
  requests: readonly string[];
  probe: string;
  setup: Setup;
}): Promise<Done> {
  const { tryPage } = window;
  if (tryPage === undefined) throw new Error('The page has not loaded.');
  const valueOf = async <Value>(answer: Promise<Answer<Value>>): Promise<Value> => {
    const all = await answer;
    if (!all.ok) throw new Error(`${all.error.code}: ${all.error.message}`);
    return all.value;
  };
  const events: AgentEvent[] = [];
  window.tryTell = async (more) => void events.push(...more);
  window.tryAsk = () => Promise.resolve('yes');
  const model = { kind: 'remote', baseURL: given.url, model: 'scripted', contextWindow: 100_000 } as const;
  await valueOf(tryPage.open(`${given.id} ${Math.random()}`, { ...model, apiKey: undefined }, given.setup));
  for (const request of given.requests) await valueOf(tryPage.run(request));
  const files: Record<string, string> = {};
  for (const { path, type } of await valueOf(tryPage.files()))
    if (type === 'file') files[path] = new TextDecoder().decode(await valueOf(tryPage.read(path)));
  const printed = await valueOf(tryPage.shell(given.probe));
  await valueOf(tryPage.discard());
  return { files, printed, events };
}

/** Works on a task with a model that follows a solution. Returns why the result is not acceptable, or null. */
async function attempt(tab: Tab, task: Task, solution: Solution): Promise<Failure | null> {
  server.script([solvingReply({ [task.id]: solution })], 'repeat');
  const options = { replyFormat: 'text', preset: 'full', temperature: null, calls: null } as const;
  const { id, requests, probe = '' } = task;
  const given = { url: server.url, id, requests, probe, setup: setupOf(task, options) };
  const { files, printed, events } = await tab.evaluate(work, given);
  const collector = new Collector(task);
  for (const event of events) collector.add(event);
  return judge(task, collector.attempted(files, 0, printed), noSandbox);
}

/** Opens the page in a tab of its own. */
async function openPage(browser: EngineBrowser): Promise<Tab> {
  const tab = await browser.open(site.url);
  await expect.poll(() => tab.evaluate(() => window.tryPage !== undefined)).toBe(true);
  return tab;
}

inEachEngine((browser) => {
  it('solves the tasks that need running programs, in the real worker', { timeout: 1_200_000 }, async () => {
    const tab = await openPage(browser());
    const failed: unknown[] = [];
    for (const task of firstOf(codeTasks)) {
      const failure = await attempt(tab, task, CODE_SOLUTIONS[task.id] ?? []);
      if (failure !== null) failed.push([task.id, failure]);
    }
    await tab.close();
    expect(failed).toEqual([]);
  });
});

inEachEngine(
  (browser) => {
    it('rejects mistakes in these tasks, and names their causes', { timeout: 1_200_000 }, async () => {
      const tab = await openPage(browser());
      const mistakes = firstOf(CODE_MISTAKES);
      const causes: unknown[] = [];
      for (const [id, , solution] of mistakes) {
        const task = codeTasks.find((each) => each.id === id);
        if (task !== undefined) causes.push([id, (await attempt(tab, task, solution))?.cause ?? 'accepted']);
      }
      await tab.close();
      expect(causes).toEqual(mistakes.map(([id, cause]) => [id, cause]));
    });
  },
  ['chromium'],
);
