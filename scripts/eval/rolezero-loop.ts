import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright';
import type { ModelChoice } from '../try/arguments.js';
import { Agent } from '../try/browser.js';
import { WEB_PAGES } from '../try/page-server.js';
import { PYODIDE } from '../try/pyodide-files.js';
import type { Setup } from '../try/page/bridge.js';
import { Collector } from './collect.js';
import { failure } from './checks.js';
import type { Attempted, Failure, Task, TextFiles } from './task.js';

/** Options of the agent, which do not depend on the task. */
type AgentOptions = Pick<Setup, 'replyFormat' | 'preset' | 'temperature' | 'calls'>;

/** Milliseconds that a run has to stop; then its page is closed. */
const STOP_LIMIT = 15_000;

/** Runs one task in the worker, in a page and a session of its own. */
export async function runInWorker(
  task: Task,
  browser: BrowserContext,
  model: ModelChoice,
  session: string,
  { minutes, signal }: { minutes: number; signal: AbortSignal },
  agentOptions: AgentOptions,
): Promise<Attempted> {
  const collector = new Collector(task);
  let page: Page | null = null;
  const ended = new AbortController();
  let ms = 0;
  let files: TextFiles = task.files ?? {};
  let printed = '';
  try {
    const own = (page = await browser.newPage());
    const agent = await Agent.start(own, {
      ask: (question) => Promise.resolve(collector.answer(question)),
      tell: (events) => {
        for (const event of events) collector.add(event);
        return Promise.resolve();
      },
    });
    void endLate({ minutes, signal, ended: ended.signal }, (isFirst) => {
      if (!isFirst) return own.close();
      if (!signal.aborted) collector.stop(tooLate(minutes));
      return agent.stop();
    });
    const setup = setupOf(task, agentOptions);
    await agent.open(session, model, setup);
    for (const [at, request] of task.requests.entries()) {
      const isLast = at === task.requests.length - 1;
      if (isLast && at > 0) {
        await agent.reload();
        await agent.open(session, model, { ...setup, files: {} });
      }
      if (!collector.mayContinue() || signal.aborted) break;
      const started = performance.now();
      await agent.run(request).finally(() => (ms += performance.now() - started));
    }
    files = await textFiles(agent);
    if (task.probe !== undefined) printed = await agent.shell(task.probe);
    await agent.discard();
  } catch (error) {
    const { code = 'internal', message } = error as Error & { code?: string };
    collector.stop(failure('agent error', `${code}: ${message}`));
  } finally {
    ended.abort();
    await page?.close().catch(() => {});
  }
  return collector.attempted(files, ms, printed);
}

/** Returns what a task adds to its session. */
export function setupOf(
  { id, files = {}, pages, steps, memoryWindow, probe }: Task,
  agentOptions: AgentOptions,
): Setup {
  return {
    ...agentOptions,
    files,
    pages: pages === undefined ? null : `${WEB_PAGES}${id}`,
    maxSteps: steps,
    memoryWindow: memoryWindow ?? null,
    python: probe === undefined ? null : PYODIDE,
  };
}

export function tooLate(minutes: number): Failure {
  return failure('timeout', `The work was not done after ${minutes} minutes.`);
}

/**
 * Ends a run at its time limit, or when the user interrupts.
 *
 * @param end called with true at first, and with false if the run has not ended some time later
 */
async function endLate(
  { minutes, signal, ended }: { minutes: number; signal: AbortSignal; ended: AbortSignal },
  end: (isFirst: boolean) => Promise<unknown>,
): Promise<void> {
  const either = AbortSignal.any([signal, ended]);
  for (const isFirst of [true, false]) {
    const wait = isFirst ? minutes * 60_000 : STOP_LIMIT;
    await sleep(wait, undefined, { signal: isFirst ? either : ended }).catch(() => {});
    if (ended.aborted) return;
    end(isFirst).catch(() => {}); // The page may have closed, or does not answer.
  }
}

async function textFiles(agent: Agent): Promise<TextFiles> {
  const found: Record<string, string> = {};
  for (const { path, type } of await agent.files())
    if (type === 'file') found[path] = new TextDecoder().decode(await agent.read(path));
  return found;
}
