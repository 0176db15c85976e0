import 'fake-indexeddb/auto';
import type { JsonValue } from '../../src/core/json.js';
import { RoleZero } from '../../src/agent/role-zero.js';
import { Session } from '../../src/session/session.js';
import type { ChatModel } from '../../src/core/model.js';
import type { Storage } from '../../src/core/store.js';
import type { JournalFolder } from '../../src/storage/journal-folder.js';
import { storageWith } from '../../src/storage/indexed-db-storage.js';
import type { Journals } from '../../src/storage/opfs-journals.js';
import { defineTool } from '../../src/core/define-tool.js';
import { editor } from '../../src/tools/editor/editor.js';
import { commands, scriptedModel } from '../../src/testing/scripted-model.js';
import { openDB } from 'idb';
import { z } from 'zod';

// Older versions of Node have none.
if (typeof navigator === 'undefined') Object.defineProperty(globalThis, 'navigator', { value: {} });

/** Steps before the measured ones: the undo history of the editor is full then. */
const BEFORE = 40;
/** Steps that are measured. */
const MEASURED = 20;
/** Steps of a job. */
export const STEPS = BEFORE + MEASURED;

/** Bytes and transactions of one step, on average. */
export interface StepBytes {
  database: number;
  replica: number;
  /** Bytes of compressed files that replace files of the replica. */
  compressed: number;
  /** Bytes by table of the database. */
  tables: Record<string, number>;
  commits: number;
  /** Bytes that the whole job occupies at its end. */
  stored: { database: number; replica: number };
}

/** A job of equal steps. */
export interface StepKind {
  /** Commands before the measured steps. */
  start?: Command[];
  step(index: number): Command[];
}

type Command = [name: string, args: Record<string, JsonValue>];

/** Length of the file that the steps write, in bytes. */
export const FILE = 20_000;
const SMALL_FILE = 2_000;
const LARGE_FILE = 200_000;

export const STEP_KINDS = {
  /** Writes a new file of 20 kB. */
  write: { step: (index) => [['Editor.write', { path: `/src/part-${index}.ts`, content: source(index) }]] },
  /** Replaces a file of 20 kB. */
  rewrite: { step: (index) => [['Editor.write', { path: '/src/part.ts', content: source(index) }]] },
  /** Changes one line of a file of 20 kB. */
  edit: edits(FILE),
  /** … of 2 kB. */
  editSmall: edits(SMALL_FILE),
  /** … of 200 kB. */
  editLarge: edits(LARGE_FILE),
  /** Counts, in a session that edited small files before. */
  count: {
    start: Array.from({ length: 49 }, (_, index): Command => [
      'Editor.write',
      { path: '/notes.txt', content: `note ${index}\n`.repeat(40) },
    ]),
    step: (index) => [['Counter.add', { by: index + 1 }]],
  },
  /** Three small files in one reply. */
  three: {
    step: (index) =>
      [1, 2, 3].map((part): Command => [
        'Editor.write',
        { path: `/src/${index}-${part}.ts`, content: `export const part = ${part};\n` },
      ]),
  },
} satisfies Record<string, StepKind>;

/** Changes one line of a file of this length in each step. */
function edits(length: number): StepKind {
  return {
    start: [['Editor.write', { path: '/src/part.ts', content: source(0, length) }]],
    step: (index) => [
      [
        'Editor.replace_text',
        {
          path: '/src/part.ts',
          old: `const line17 = ${index === 0 ? `'value 17 of part 0'` : index - 1};`,
          new: `const line17 = ${index};`,
        },
      ],
    ],
  };
}

/** The step of a long job with small files: writes one, changes a line of it, and reads it, in turns. */
const smallFiles: StepKind['step'] = (index) => {
  const part = Math.floor(index / 3);
  const path = `/src/part-${part}.ts`;
  const old = `const line17 = 'value 17 of part ${part}';`;
  const turns: Command[] = [
    ['Editor.write', { path, content: source(part, SMALL_FILE) }],
    ['Editor.replace_text', { path, old, new: `const line17 = ${part};` }],
    ['Editor.read', { path }],
  ];
  return [turns[index % 3] ?? ['end', {}]];
};

/** Bytes that a session occupies after a number of steps. */
export interface StoredBytes {
  steps: number;
  database: number;
  replica: number;
  /** Bytes written to the replica so far: by commits and whole copies, and compressed. */
  appended: number;
  compressed: number;
  /** Files of the replica. */
  files: number;
  /** Most bytes that the replica occupied so far. */
  peak: number;
}

/** Runs a long job with small files in a model with a window of 128,000 tokens, and counts what it occupies after each number of steps. */
export async function bytesOfLongJob(after: readonly number[]): Promise<StoredBytes[]> {
  const disk = new CountingFolders();
  const databaseName = 'bytes-long';
  const found: StoredBytes[] = [];
  const last = after.at(-1) ?? 0;
  let calls = 0;
  const model: ChatModel = {
    id: 'long',
    contextWindow: 128_000,
    async *chat({ purpose }) {
      let text = { classify: 'Response Category: TASK', language: 'English' }[purpose as string] ?? 'notes';
      if (purpose === 'think') {
        if (after.includes(calls)) {
          await disk.idle();
          const { bytes: appended, compressed, stored: replica, size: files, peak } = disk;
          const database = await databaseBytes(databaseName);
          found.push({ steps: calls, database, replica, appended, compressed, files, peak });
        }
        text = calls < last ? commands(...smallFiles(calls)) : commands(['end', {}]);
        calls += 1;
      }
      yield { type: 'text-delta', text };
      yield { type: 'finish', reason: 'stop' };
    },
  };
  await runJob(databaseName, disk, model);
  return found;
}

function source(part: number, length = FILE): string {
  let text = '';
  for (let line = 0; text.length < length; line++)
    text += `const line${line} = 'value ${line} of part ${part}';\n`;
  return text;
}

/** Runs a job in a session on disk and measures what its last steps write. */
export async function bytesPerStep(
  { start = [], step }: StepKind,
  name: string,
  steps = STEPS,
): Promise<StepBytes> {
  const unmeasured = steps - MEASURED;
  const disk = new CountingFolders();
  const databaseName = `bytes-${name}`;
  const counted = countPuts(databaseName);
  const replies = Array.from({ length: steps }, (_, index) => commands(...step(index)));
  let calls = 0;
  type Counted = Omit<StepBytes, 'stored'>;
  const before: Counted = { database: 0, replica: 0, compressed: 0, tables: {}, commits: 0 };
  const take = (): Counted => ({
    database: counted.bytes(),
    replica: disk.bytes,
    compressed: disk.compressed,
    tables: { ...counted.tables },
    commits: counted.commits(),
  });
  const model = scriptedModel({
    think: [...(start.length > 0 ? [commands(...start)] : []), ...replies, commands(['end', {}])],
  });
  let after = before;
  const first = (start.length > 0 ? 1 : 0) + unmeasured;
  await runJob(databaseName, disk, {
    ...model,
    contextWindow: 10_000_000, // no compaction
    chat(request) {
      if (request.purpose === 'think') {
        if (calls === first) Object.assign(before, take());
        if (calls === first + MEASURED) after = take();
        calls += 1;
      }
      return model.chat(request);
    },
  });
  counted.end();
  const each = (from: number, to: number): number => Math.round((to - from) / MEASURED);
  return {
    database: each(before.database, after.database),
    replica: each(before.replica, after.replica),
    compressed: each(before.compressed, after.compressed),
    commits: (after.commits - before.commits) / MEASURED,
    tables: Object.fromEntries(
      Object.entries(after.tables).map(([table, bytes]) => [table, each(before.tables[table] ?? 0, bytes)]),
    ),
    stored: { database: await databaseBytes(databaseName), replica: disk.stored },
  };
}

/** Runs a job of one role in a new session. */
async function runJob(databaseName: string, journals: Journals, model: ChatModel): Promise<void> {
  const storage: Storage = storageWith({
    databaseName,
    waitMs: 0,
    openMs: 5000,
    transactionMs: 30_000,
    now: Date.now,
    journals,
  });
  const session = await Session.open({
    name: 's',
    storage,
    roles: [
      new RoleZero({
        name: 'Zero',
        maxSteps: 100_000,
        language: 'English',
        summarize: false,
        tools: [...editor(), counter()],
        model,
      }),
    ],
    askUser: null,
    emit: () => {},
  });
  const { status, error } = await (await session.send('Do it.')).result;
  if (status !== 'done') throw new Error(`The job ended as ${status}: ${error?.message}`);
  await session.close();
}

/** Returns the bytes of all rows of a database. */
async function databaseBytes(name: string): Promise<number> {
  const database = await openDB(name);
  const rows = await Promise.all(
    [...database.objectStoreNames].map((store) => database.getAll(store) as Promise<unknown[]>),
  );
  database.close();
  return rows.flat().reduce<number>((sum, row) => sum + lengthOf(JSON.stringify(row)), 0);
}

function counter() {
  return defineTool({
    name: 'Counter.add',
    description: 'Adds a number.',
    input: z.object({ by: z.number() }),
    run({ by }, { state }) {
      state['count'] = Number(state['count'] ?? 0) + by;
      return `The count is ${String(state['count'])}.`;
    },
  });
}

const encoder = new TextEncoder();
const lengthOf = (text: string): number => encoder.encode(text).length;

/** Counts the bytes of the rows that are put into a database. */
function countPuts(databaseName: string) {
  const tables: Record<string, number> = {};
  let commits = 0;
  const { put } = IDBObjectStore.prototype;
  IDBObjectStore.prototype.put = function (this: IDBObjectStore, value: unknown, ...rest: []) {
    if (this.transaction.db.name === databaseName) {
      const table = this.name === 'sessions' ? 'sessions' : (value as { table: string }).table;
      if (this.name === 'sessions') commits += 1;
      tables[table] = (tables[table] ?? 0) + lengthOf(JSON.stringify(value));
    }
    return put.call(this, value, ...rest);
  };
  return {
    tables,
    commits: () => commits,
    bytes: () => Object.values(tables).reduce((sum, bytes) => sum + bytes, 0),
    end: () => void (IDBObjectStore.prototype.put = put),
  };
}

/** Replicas in memory that count what is appended to them. */
class CountingFolders implements Journals {
  bytes = 0;
  /** Bytes of compressed files that were appended, which are not in `bytes`. */
  compressed = 0;
  /** Most bytes of all files at any time. */
  peak = 0;
  #occupied = 0;
  readonly #files = new Map<string, Uint8Array<ArrayBuffer>[]>();

  get size(): number {
    return this.#files.size;
  }

  /** Waits until the replica is not changed behind the session any more. */
  async idle(): Promise<void> {
    const written = (): number => this.bytes + this.compressed;
    for (let before = -1; written() !== before;) {
      before = written();
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  }

  /** Bytes of all files. */
  get stored(): number {
    return [...this.#files.values()].flat().reduce((sum, part) => sum + part.length, 0);
  }

  prepare(): void {}

  async folder(): Promise<JournalFolder> {
    const files = this.#files;
    return {
      names: async () => [...files.keys()],
      read: async (name) => new Blob(files.get(name)),
      remove: async (name) => {
        for (const part of files.get(name) ?? []) this.#occupied -= part.length;
        files.delete(name);
      },
      create: async (name) => {
        const parts = files.get(name) ?? [];
        files.set(name, parts);
        return {
          append: (content) => {
            const bytes = typeof content === 'string' ? encoder.encode(content) : new Uint8Array(content);
            this[name.endsWith('.deflate') ? 'compressed' : 'bytes'] += bytes.length;
            parts.push(bytes);
            this.#occupied += bytes.length;
            this.peak = Math.max(this.peak, this.#occupied);
          },
          flush: () => {},
          close: () => {},
        };
      },
    };
  }

  async folders(): Promise<JournalFolder[]> {
    return [];
  }

  async remove(): Promise<void> {
    this.#files.clear();
  }
}
