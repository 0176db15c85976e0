import { connect, sessions, type Session } from 'rolezero';
import type { KillConfig, KillNews } from './killable.js';

/** The final state of a run; ids are numbered in order of appearance. */
export interface Remains<What> {
  status: string;
  /** The inspected state of the session. */
  found: What;
  commits: number;
  /** The kind of each commit, in order. */
  kinds: string[];
  questions: number;
}

/**
 * Runs the request and kills the worker at a commit; then continues in a new worker, as a user would after a reload.
 */
export async function killAndResume<What>(
  makeWorker: () => Worker,
  config: KillConfig,
  request: string,
  look: (session: Session) => Promise<What>,
): Promise<Remains<What>> {
  const { point, moment } = config;
  const name = `kill-${point}-${moment}`;
  let questions = 0;
  let commits = 0;
  const kinds: string[] = [];
  const open = (given: KillConfig, onNews: (news: KillNews, worker: Worker) => void): Promise<Session> =>
    connect(
      () => {
        const worker = makeWorker();
        worker.addEventListener('message', ({ data }: MessageEvent<KillNews>) => {
          if ('commits' in data) onNews(data, worker);
        });
        return worker;
      },
      {
        session: name,
        restarts: 0, // Killed once, at this point.
        config: given,
        askHuman: () => {
          questions += 1;
          return 'blue';
        },
      },
    );
  if (point > 0) {
    const first = await open(config, (news, worker) => {
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
  const session = await open({ ...config, point: 0 }, (news) => {
    commits = news.commits;
    kinds.push(news.kind);
  });
  let status: string;
  if (session.resumable) status = (await session.resume().result()).status;
  else if (session.lastRun !== null) status = session.lastRun.status;
  else if (point <= 1) status = (await session.send(request).result()).status;
  else throw new Error('the session has forgotten its run');
  const found = anonymous(await look(session));
  await session.close();
  await sessions.remove(name);
  return { status, found, commits, kinds, questions };
}

/** All files of a session, by path. */
export async function filesOf(session: Session): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const { path, type } of await session.files.list()) {
    if (type === 'file') files[path] = await session.files.read(path);
  }
  return files;
}

function anonymous<What>(value: What): What {
  const ids = new Map<string, string>();
  const named = (id: string): string => {
    if (!ids.has(id)) ids.set(id, `#${ids.size}`);
    return ids.get(id) ?? '';
  };
  return JSON.parse(JSON.stringify(value).replace(/[0-9a-f]{32}/g, named)) as What;
}
