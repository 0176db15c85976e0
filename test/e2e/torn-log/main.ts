import { connect, type AgentEvent, type MessageData, type Session } from 'rolezero';
import { filesOf } from '../kill-and-resume.js';

interface Found {
  messages: MessageData[];
  files: Record<string, string>;
  warnings: string[];
  /** Records of the application's own database, which the library does not protect. */
  unguarded: number;
}

let session: Session;
const warnings: string[] = [];
/**
 * Duration of each compaction of this page's databases in milliseconds: from opening one to the end of its deletion.
 */
const repaired: number[] = [];

const { open: openDatabase, deleteDatabase } = IDBFactory.prototype;
const opened = new Map<string, number>();
IDBFactory.prototype.open = function (name, version): IDBOpenDBRequest {
  opened.set(name, performance.now());
  return openDatabase.call(this, name, version);
};
IDBFactory.prototype.deleteDatabase = function (name): IDBOpenDBRequest {
  const request = deleteDatabase.call(this, name);
  request.addEventListener('success', () => repaired.push(performance.now() - (opened.get(name) ?? NaN)));
  return request;
};

/** Before `open`: makes this page believe that it follows a repaired one in its tab, so it does not repair. */
function doNotRepair(): void {
  sessionStorage.setItem('rolezero-repaired', String(Date.now()));
}

async function open(baseURL: string, name = 'torn'): Promise<Found> {
  const records = await unguarded(() => {});
  session = await connect(
    () => new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' }),
    { session: name, config: { baseURL }, askHuman: () => 'blue', restarts: 1 },
  );
  session.on((event: AgentEvent) => event.type === 'warning' && warnings.push(event.code));
  const messages = await session.messages(); // All warnings have arrived by now.
  return { messages, files: await filesOf(session), warnings, unguarded: records };
}

/** Adds a file, and a record in the unprotected database. */
async function write(path: string): Promise<void> {
  await session.files.write(path, path);
  await unguarded((store) => store.add({ path }));
}

async function work(request: string): Promise<string> {
  return (await session.send(request).result()).status;
}

/** Writes to the application's own database. Returns the number of its records before. */
async function unguarded(change: (store: IDBObjectStore) => void): Promise<number> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open('unguarded', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore('records', { autoIncrement: true });
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(new Error('the database did not open', { cause: opening.error }));
  });
  const transaction = database.transaction('records', 'readwrite', { durability: 'strict' });
  const store = transaction.objectStore('records');
  const counting = store.count();
  change(store);
  await new Promise((resolve) => (transaction.oncomplete = resolve));
  database.close();
  return counting.result;
}

declare global {
  interface Window {
    tornLog: {
      doNotRepair: typeof doNotRepair;
      open: typeof open;
      write: typeof write;
      work: typeof work;
      repaired: number[];
      databases(): Promise<string[]>;
    };
  }
}
const databases = async () => (await indexedDB.databases()).map(({ name }) => name ?? '').sort();
window.tornLog = { doNotRepair, open, write, work, repaired, databases };
