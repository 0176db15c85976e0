import { connect, sessions, type Session } from 'rolezero';
import type { KillConfig, KillNews } from './agent.worker.js';

/** What is left of a run, ids by the order in which they appear. */
export interface Remains {
  status: string;
  messages: unknown;
  plan: unknown;
  files: Record<string, string>;
  commits: number;
  questions: number;
}

let questions = 0;

async function open(
  name: string,
  config: KillConfig,
  onNews: (news: KillNews, worker: Worker) => void,
): Promise<Session> {
  return connect(
    () => {
      const worker = new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' });
      worker.addEventListener('message', ({ data }: MessageEvent<KillNews>) => {
        if ('commits' in data) onNews(data, worker);
      });
      return worker;
    },
    {
      session: name,
      config,
      askHuman: () => {
        questions += 1;
        return 'blue';
      },
    },
  );
}

/** Runs the request, killing the worker at a commit; then goes on in a new worker, as a person would after a reload. */
async function run(
  baseURL: string,
  request: string,
  point: number,
  moment: 'before' | 'after',
): Promise<Remains> {
  const name = `kill-${point}-${moment}`;
  questions = 0;
  let commits = 0;
  if (point > 0) {
    const first = await open(name, { baseURL, point, moment }, (news, worker) => {
      if (news.kill) worker.terminate();
    });
    const error = await first
      .send(request)
      .result()
      .then(
        (result) => result.status,
        (reason: unknown) => (reason as { code: string }).code,
      );
    if (error !== 'worker-lost') throw new Error(`expected the worker to be lost, not ${error}`);
    await first.close();
  }
  const session = await open(name, { baseURL, point: 0, moment }, (news) => (commits = news.commits));
  let status: string;
  if (session.resumable) status = (await session.resume().result()).status;
  else if (session.lastRun !== null) status = session.lastRun.status;
  else if (point <= 1) status = (await session.send(request).result()).status;
  else throw new Error('the session has forgotten its run');
  const remains = { status, ...(await what(session)), commits, questions };
  await session.close();
  await sessions.remove(name);
  return remains;
}

async function what(session: Session): Promise<Pick<Remains, 'messages' | 'plan' | 'files'>> {
  const ids = new Map<string, string>();
  const named = (id: string): string => {
    if (!ids.has(id)) ids.set(id, `#${ids.size}`);
    return ids.get(id) ?? '';
  };
  const text = JSON.stringify(await session.messages()).replace(/[0-9a-f]{32}/g, named);
  const files: Record<string, string> = {};
  for (const { path, type } of await session.files.list()) {
    if (type === 'file') files[path] = await session.files.read(path);
  }
  return { messages: JSON.parse(text) as unknown, plan: await session.plan(), files };
}

declare global {
  interface Window {
    runAndKill: typeof run;
  }
}
window.runAndKill = run;
