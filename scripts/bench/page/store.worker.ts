import type { Storage, Write } from '../../../src/core/store.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { indexedDbStorage, memoryStorage } from '../../../src/storage/index.js';

/** Milliseconds of each commit, alternating between ours and a bare put. */
export interface CommitTimes {
  ours: number[];
  bare: number[];
}

const scope = globalThis as unknown as Pick<Worker, 'postMessage' | 'addEventListener'>;
scope.addEventListener(
  'message',
  ({
    data,
  }: MessageEvent<{
    commits?: number;
    messages?: number;
    files?: number;
    bytes?: number;
    name?: string;
  }>) => {
    const { name = '', messages = 0, files = 0, bytes = 835 } = data;
    const work =
      data.commits === undefined ? makeLong(name, { messages, files, bytes }) : commits(data.commits);
    work.then(
      (value: unknown) => scope.postMessage({ value }),
      (error: unknown) => scope.postMessage({ error: String(error) }),
    );
  },
);

const HALF_A_KILOBYTE = 'x'.repeat(512);

/** The records that a command commits: the role's state, its message, two turns of the conversation. */
function command(number: number): Write[] {
  const row = `Zero/${String(number).padStart(10, '0')}`;
  return [
    { table: 'roles', key: 'Zero', value: { number, text: HALF_A_KILOBYTE.repeat(4) } },
    { table: 'messages', key: row, value: { id: row, content: HALF_A_KILOBYTE } },
    { table: 'turns', key: row, value: { role: 'user', content: HALF_A_KILOBYTE, tokens: 1 } },
    { table: 'steps', key: row, value: { reply: HALF_A_KILOBYTE } },
  ];
}

async function commits(count: number): Promise<CommitTimes> {
  const storage = indexedDbStorage({ databaseName: 'rolezero-bench-commits' });
  const store = await storage.open('commits');
  const bare = await bareDatabase();
  const times: CommitTimes = { ours: [], bare: [] };
  for (let number = 0; number < count; number++) {
    times.bare.push(await timed(() => put(bare, number, { text: HALF_A_KILOBYTE.repeat(7) })));
    times.ours.push(await timed(() => store.commit(command(number), store.random)));
  }
  bare.close();
  await store.close();
  await storage.remove('commits');
  return times;
}

async function timed(work: () => Promise<void>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

function bareDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('bench-bare', 1);
    request.onupgradeneeded = () => request.result.createObjectStore('rows');
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('Cannot open the database.'));
  });
}

function put(database: IDBDatabase, key: number, value: unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction('rows', 'readwrite', { durability: 'strict' });
    transaction.objectStore('rows').put(value, key);
    transaction.oncomplete = () => resolve();
    transaction.onerror = () => reject(transaction.error ?? new Error('Cannot write to the database.'));
  });
}

/**
 * A session with this many messages, and files of this many bytes, as after long work, in the database of this origin. Returns the number of
 * messages.
 */
async function makeLong(
  name: string,
  { messages, files, bytes }: { messages: number; files: number; bytes: number },
): Promise<number> {
  const inMemory = memoryStorage();
  let written = 0;
  const role = new RoleZero({
    summarize: false,
    maxSteps: 1_000_000,
    language: 'English',
    model: {
      id: 'long',
      contextWindow: 32_000,
      async *chat({ purpose }) {
        written += 1;
        const done = written * 2 >= messages;
        const command = done
          ? { command_name: 'end', args: {} }
          : {
              command_name: 'RoleZero.reply_to_human',
              args: { content: `${written}: ${'a word or two, '.repeat(12)}` },
            };
        yield {
          type: 'text-delta',
          text:
            purpose === 'classify'
              ? 'Response Category: TASK'
              : purpose === 'think'
                ? JSON.stringify([command])
                : 'Done.',
        };
        yield { type: 'finish', reason: 'stop' };
      },
    },
  });
  const open = (storage: Storage): Promise<Session> =>
    Session.open({ roles: [role], storage, name, askUser: null, emit: () => {} });
  // A document of 260 MB is too long for an import: such files are written where they stay.
  const isLarge = files * bytes > 50_000_000;
  const session = await open(isLarge ? indexedDbStorage() : inMemory);
  const { result } = await session.send('Talk at length.');
  await result;
  const content = `export const value = '${'x'.repeat(bytes - 35)}';\n`;
  const atOnce = isLarge ? 100 : 1_000;
  for (let first = 0; first < files; first += atOnce) {
    const paths = Array.from({ length: Math.min(atOnce, files - first) }, (_, at) => first + at);
    await session.files.writeAll(
      paths.map((number) => ({
        path: `/src/${number % 100}/${number}.ts`,
        content: `// ${number}\n${content}`,
      })),
    );
  }
  const stored = session.messages().length;
  if (isLarge) {
    await session.close();
    return stored;
  }
  const document = await session.export();
  await session.close();
  await indexedDbStorage().import(document);
  return stored;
}
