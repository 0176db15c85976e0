import { connect, RoleZeroError, type AgentEvent, type Session } from 'rolezero';
import type { Answer, TryPage } from './bridge.js';
import { Outbox } from './outbox.js';

const outbox = new Outbox<AgentEvent>((events) => window.tryTell(events));
let session: Session | null = null;

const page: TryPage = {
  open: (name, model) =>
    answer(async () => {
      const worker = new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' });
      session = await connect(worker, {
        session: name,
        config: model,
        askHuman: async (question) => {
          await outbox.empty(); // the question comes after what led to it
          return window.tryAsk(question);
        },
        approve: async (_command, question) => {
          await outbox.empty();
          const said = await window.tryAsk(question);
          return said === null ? null : said === 'yes';
        },
      });
      session.on((event) => outbox.push(event));
      return { resumable: session.resumable };
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
