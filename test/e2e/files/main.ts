import { zipSync } from 'fflate';
import { connect, sessions, type FileHistoryEntry, type Session } from 'rolezero';
import { importDropped, importZip } from 'rolezero/files';
import type { KillConfig, KillNews } from '../killable.js';

/** The final state. */
export interface Remains {
  files: Record<string, string>;
  history: Pick<FileHistoryEntry, 'by' | 'name' | 'paths' | 'undone'>[];
  commits: number;
}

const encode = (text: string) => new TextEncoder().encode(text);
const ZIP = zipSync({
  'a.txt': encode('one\ntwo\nthree\n'),
  'deep/b.txt': encode('b\n'),
  'empty/': new Uint8Array(),
});

/**
 * Imports files, lets an agent change them, then undoes its first step, redoes it and undoes it again. A change that
 * was made is not made twice.
 */
async function goOn(session: Session): Promise<void> {
  const undos = async () => (await session.files.history()).filter(({ name }) => name === 'undo');
  if (!(await session.files.history()).some(({ name }) => name === 'import'))
    await importZip(session.files, ZIP, { path: '/in' });
  if (session.resumable) await session.resume().result();
  else if (session.lastRun === null) await session.send('Change the files').result();
  const step = (await session.files.history()).find(({ by }) => by === 'agent')?.step ?? '';
  if ((await undos()).length === 0) await session.files.undo(step);
  const [first, ...later] = await undos();
  if (later.length === 0) await session.files.undo(first?.id ?? '');
  if ((await undos()).length === 2) await session.files.undo(step);
}

async function runAndKill(point: number, moment: 'before' | 'after'): Promise<Remains> {
  const name = `files-${point}-${moment}`;
  let commits = 0;
  const open = (given: KillConfig, onNews: (news: KillNews, worker: Worker) => void): Promise<Session> =>
    connect(
      () => {
        const worker = new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' });
        worker.addEventListener('message', ({ data }: MessageEvent<KillNews>) => {
          if ('commits' in data) onNews(data, worker);
        });
        return worker;
      },
      { session: name, restarts: 0, config: given },
    );
  const config = { baseURL: '', point, moment };
  if (point > 0) {
    const first = await open(config, (news, worker) => {
      if (news.kill) worker.terminate();
    });
    const code = await goOn(first).then(
      () => 'it was not killed',
      (error: unknown) => (error as { code?: string }).code ?? String(error),
    );
    if (code !== 'worker-lost') throw new Error(`expected the worker to be lost, not ${code}`);
    await first.close();
  }
  const session = await open({ ...config, point: 0 }, (news) => (commits = news.commits));
  await goOn(session);
  const files: Record<string, string> = {};
  for (const { path, content } of await session.files.readAll())
    files[path] = content === undefined ? '<directory>' : new TextDecoder().decode(content);
  const history = (await session.files.history()).map(({ by, name: what, paths, undone }) => {
    return { by, name: what, paths, undone };
  });
  await session.close();
  await sessions.remove(name);
  return { files, history, commits };
}

/** The result of the next drop: the files of the session, or the error. */
async function nextDrop(handles: boolean): Promise<Record<string, string> | string> {
  const config: KillConfig = { baseURL: '', point: 0, moment: 'before' };
  const worker = new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' });
  const session = await connect(worker, { session: `drop-${handles}`, config });
  const zone = document.getElementById('drop');
  zone?.addEventListener('dragover', (event) => event.preventDefault());
  if (!handles) Object.assign(DataTransferItem.prototype, { getAsFileSystemHandle: undefined });
  const dropped = new Promise((resolve, reject) => {
    zone?.addEventListener(
      'drop',
      (event) => {
        event.preventDefault();
        importDropped(session.files, event.dataTransfer, { path: '/in' }).then(resolve, reject);
      },
      { once: true },
    );
  });
  document.title = 'drop now';
  try {
    await dropped;
    const all = await session.files.readAll('/in');
    return Object.fromEntries(
      all.map(({ path, content }) => [
        path,
        content === undefined ? '<directory>' : new TextDecoder().decode(content),
      ]),
    );
  } catch (error) {
    return String(error);
  } finally {
    document.title = 'dropped';
    await session.close();
    worker.terminate();
    await sessions.remove(session.name);
  }
}

declare global {
  interface Window {
    killFiles: typeof runAndKill;
    nextDrop: typeof nextDrop;
  }
}
window.killFiles = runAndKill;
window.nextDrop = nextDrop;
