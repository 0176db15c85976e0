import { connect, RoleZeroError, sessions, type AgentEvent, type PageTool, type Session } from 'rolezero';
import { chrome } from 'rolezero/providers/chrome';
import { detectModels } from 'rolezero/providers/detect';
import type { ModelChoice } from '../arguments.js';
import type { UserTerminal } from '../../../demo/panes/user-terminal.js';
import { tourOf } from '../../../demo/tour/index.js';
import type { Answer, Setup, TryPage, WorkerConfig } from './bridge.js';
import { Outbox } from './outbox.js';
import { programs } from './programs.js';

const outbox = new Outbox<AgentEvent>((events) => window.tryTell(events));
let session: Session | null = null;
/** Path of the files of Python. */
let python: string | null = null;
/** The user's terminal of the session: its shell, and the next interpreter of a program, are loaded once. */
let terminal: Promise<UserTerminal> | null = null;

const page: TryPage = {
  detect: (mayDownload) => answer(() => detectModels({ mayDownload })),
  open: (name, model, setup) =>
    answer(async () => {
      python = setup?.python ?? null;
      terminal = null;
      session = await connect(workerFor(model), {
        session: name,
        config: { model, setup } satisfies WorkerConfig,
        models: model.kind === 'chrome' ? { chrome: chrome() } : {},
        tools: await pageTools(model, setup),
        askHuman: async (question) => {
          await outbox.empty(); // The question follows the events before it.
          return window.tryAsk(question);
        },
        approve: async (_command, question) => {
          await outbox.empty();
          const answer = await window.tryAsk(question);
          return answer === null ? null : answer === 'yes';
        },
      });
      session.on((event) => outbox.push(event));
      const messages = await session.messages();
      const requests = messages.filter(({ causeBy }) => causeBy === 'UserRequirement').length;
      const files = (model.kind === 'tour' ? tourOf(model.tour).files : setup?.files) ?? {};
      await session.files.writeAll(
        Object.entries(files).map(([path, content]) => ({ path, content })),
        { existing: 'keep' },
      );
      return { resumable: session.resumable, requests };
    }),
  run: (request) =>
    answer(async () => {
      const open = opened();
      const run = request === null ? open.resume() : open.send(request);
      const { status } = await run.result();
      await outbox.empty();
      return { status, resumable: open.resumable };
    }),
  stop: () => session?.running?.stop(),
  files: () => answer(() => opened().files.list()),
  read: (path) => answer(() => opened().files.readBytes(path)),
  shell: (commandLine) =>
    answer(async () => {
      terminal ??= openTerminal();
      return (await terminal).run(commandLine, new AbortController().signal);
    }),
  close: () =>
    answer(async () => {
      await session?.close();
      return null;
    }),
  discard: () =>
    answer(async () => {
      const { name } = opened();
      await opened().close();
      await sessions.remove(name);
      return null;
    }),
};
window.tryPage = page;

async function openTerminal(): Promise<UserTerminal> {
  const { UserTerminal } = await import('../../../demo/panes/user-terminal.js');
  return new UserTerminal(opened(), python === null ? {} : programs(python));
}

/** Model engines are megabytes of code: only their worker loads them. */
function workerFor({ kind }: ModelChoice): Worker {
  return kind === 'web-llm' || kind === 'wllama'
    ? new Worker(new URL('./engine.worker.ts', import.meta.url), { type: 'module' })
    : new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' });
}

/** The frame in which the agent looks at pages, where it has a browser. */
async function pageTools({ kind }: ModelChoice, setup: Setup | null): Promise<PageTool[]> {
  const pages = setup?.pages ?? null;
  if (kind !== 'tour' && pages === null) return [];
  const { frame } = await import('rolezero/tools/frame');
  return [frame(pages === null ? {} : { read: (url, signal) => readPage(pages, url, signal) })];
}

/** Reads a web page of a task from this server, which has all of them. */
async function readPage(pages: string, url: string, signal: AbortSignal) {
  const response = await fetch(`${pages}?${new URLSearchParams({ url })}`, { signal });
  return { content: await response.text(), type: 'text/html', status: response.status };
}

function opened(): Session {
  if (session === null) throw new RoleZeroError('invalid', 'No session is open.');
  return session;
}

async function answer<Value>(ask: () => Promise<Value>): Promise<Answer<Value>> {
  try {
    return { ok: true, value: await ask() };
  } catch (error) {
    const { code, message } =
      error instanceof RoleZeroError ? error : { code: 'internal', message: String(error) };
    return { ok: false, error: { code, message } };
  }
}
