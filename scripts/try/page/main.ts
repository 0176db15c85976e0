import { connect, RoleZeroError, type AgentEvent, type Session } from 'rolezero';
import { chrome } from 'rolezero/providers/chrome';
import { detectModels } from 'rolezero/providers/detect';
import type { ModelChoice } from '../arguments.js';
import { tourOf } from '../../../demo/tour/index.js';
import type { Answer, TryPage } from './bridge.js';
import { Outbox } from './outbox.js';

const outbox = new Outbox<AgentEvent>((events) => window.tryTell(events));
let session: Session | null = null;

const page: TryPage = {
  detect: (mayDownload) => answer(() => detectModels({ mayDownload })),
  open: (name, model) =>
    answer(async () => {
      session = await connect(workerFor(model), {
        session: name,
        config: model,
        models: model.kind === 'chrome' ? { chrome: chrome() } : {},
        tools: model.kind === 'tour' ? [(await import('rolezero/tools/frame')).frame()] : [],
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
      const files = model.kind === 'tour' ? (tourOf(model.tour).files ?? {}) : {};
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
  close: () =>
    answer(async () => {
      await session?.close();
      return null;
    }),
};
window.tryPage = page;

/** Model engines are megabytes of code: only their worker loads them. */
function workerFor({ kind }: ModelChoice): Worker {
  return kind === 'web-llm' || kind === 'wllama'
    ? new Worker(new URL('./engine.worker.ts', import.meta.url), { type: 'module' })
    : new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' });
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
