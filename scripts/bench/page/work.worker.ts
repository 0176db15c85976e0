/** Work of sessions inside one worker, with models that reply by a script: a team, steps on disk, and a long job. */
import { z } from 'zod';
import { defineTool } from '../../../src/core/define-tool.js';
import type { JsonValue } from '../../../src/core/json.js';
import type { ChatModel, ChatRequest } from '../../../src/core/model.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session, type SessionOptions } from '../../../src/session/session.js';
import { indexedDbStorage, memoryStorage } from '../../../src/storage/index.js';
import { TeamLeader } from '../../../src/team/team-leader.js';
import { editor } from '../../../src/tools/index.js';

/** `team`: a team with this many members. `onDisk`: steps on disk, and their rows alone. `long`: a job of this many steps, held open. */
export type WorkOrder = { team: number } | { onDisk: number } | { long: number };

/** Milliseconds of each step, and of a bare transaction with the rows that it has put. */
export interface StepTimes {
  ours: number[];
  bare: number[];
}

/** Bytes that the browser has stored for this origin because of the job. */
export interface LongJob {
  bytes: number;
}

type Command = readonly [name: string, args: Record<string, JsonValue>];

/** Latency of each call of a member of a team, in ms, and number of its calls. */
const LATENCY = 100;
const CALLS = 4;
/** Steps before the measured ones. */
const WARM_UP = 20;
/** Bytes of a file of the long job. */
const SMALL_FILE = 2_000;
/** Milliseconds in which the bytes on disk do not change when the browser has counted them, and the log is compressed. */
const SETTLED = 3_000;

const scope = globalThis as unknown as Pick<Worker, 'postMessage' | 'addEventListener'>;
scope.addEventListener('message', ({ data }: MessageEvent<WorkOrder>) => {
  const work = 'team' in data ? team(data.team) : 'onDisk' in data ? onDisk(data.onDisk) : longJob(data.long);
  work.then(
    (value: unknown) => scope.postMessage({ value }),
    (error: unknown) => scope.postMessage({ error: String(error) }),
  );
});

function replyOf(...commands: Command[]): string {
  return JSON.stringify(commands.map(([command_name, args]) => ({ command_name, args })));
}

/** A model whose replies `think` gives; other calls, such as for the category of a request, take no time. */
function modelOf(id: string, think: (request: ChatRequest) => Promise<string>): ChatModel {
  return {
    id,
    contextWindow: 128_000,
    supports: { parallel: true },
    async *chat(request) {
      const text = request.purpose === 'classify' ? 'Response Category: TASK' : 'Done.';
      yield { type: 'text-delta', text: request.purpose === 'think' ? await think(request) : text };
      yield { type: 'finish', reason: 'stop' };
    },
  };
}

const ROLE = { language: 'English', summarize: false, maxSteps: 100_000 } as const;

async function done(options: Omit<SessionOptions, 'askUser' | 'emit'>): Promise<Session> {
  const session = await Session.open({ ...options, askUser: null, emit: () => {} });
  const { result } = await session.send('Do the work.');
  const { status, error } = await result;
  if (status !== 'done') throw new Error(`The run ended as ${status}: ${error?.message ?? ''}`);
  return session;
}

/** Milliseconds from the request to the end: the leader gives each member the same number of steps, in one reply. */
async function team(size: number): Promise<number> {
  const names = Array.from({ length: size }, (_, index) => `Member${index}`);
  const finished = (name: string): string => `${name} is done.`;
  const leader = modelOf('leader', async ({ messages }) => {
    const prompt = JSON.stringify(messages);
    if (!prompt.includes('Write the files of'))
      return replyOf(
        ...names.map((name): Command => [
          'TeamLeader.publish_team_message',
          { content: `Write the files of ${name}.`, send_to: name },
        ]),
      );
    if (!names.every((name) => prompt.includes(finished(name)))) return replyOf(['end', {}]);
    return replyOf(['RoleZero.reply_to_human', { content: 'All is done.' }], ['end', {}]);
  });
  const member = (name: string): RoleZero => {
    let calls = 0;
    const model = modelOf(name, async () => {
      await new Promise((resolve) => setTimeout(resolve, LATENCY));
      calls += 1;
      return calls < CALLS
        ? replyOf(['Editor.write', { path: `/${name}/${calls}.txt`, content: `${calls}\n` }])
        : replyOf(['RoleZero.reply_to_human', { content: finished(name) }], ['end', {}]);
    });
    return new RoleZero({ ...ROLE, name, model, tools: editor() });
  };
  const from = performance.now();
  const session = await done({
    name: `team-${size}`,
    storage: memoryStorage(),
    leader: new TeamLeader({ ...ROLE, model: leader }),
    roles: names.map(member),
  });
  const ms = performance.now() - from;
  for (const name of names)
    if ((await session.files.read(`/${name}/${CALLS - 1}.txt`)) === '')
      throw new Error(`${name} did nothing.`);
  await session.close();
  return ms;
}

const add = defineTool({
  name: 'Counter.add',
  description: 'Adds a number to the sum.',
  input: z.object({ n: z.number() }),
  run: ({ n }) => `added ${n}`,
});

/** Steps that call a tool, on disk. After each, the same rows are put into a database of their own, in one strict transaction. */
async function onDisk(steps: number): Promise<StepTimes> {
  const bare = await bareDatabase();
  const rows: unknown[] = [];
  const endWatch = watchPuts(bare.name, rows);
  const times: StepTimes = { ours: [], bare: [] };
  const storage = indexedDbStorage({ databaseName: 'rolezero-bench-steps' });
  let calls = 0;
  let begun = 0;
  const model = modelOf('onDisk', async () => {
    const ours = performance.now() - begun;
    calls += 1;
    const put = rows.splice(0);
    if (calls > WARM_UP) {
      const from = performance.now();
      await putAll(bare, put);
      times.ours.push(ours);
      times.bare.push(performance.now() - from);
    }
    begun = performance.now();
    return calls > steps + WARM_UP ? replyOf(['end', {}]) : replyOf(['Counter.add', { n: calls }]);
  });
  const name = `steps-${Date.now()}`;
  const session = await done({ name, storage, roles: [new RoleZero({ ...ROLE, model, tools: [add] })] });
  endWatch();
  await session.close();
  await storage.remove(name);
  bare.close();
  return times;
}

type Put = (this: IDBObjectStore, value: unknown, ...rest: []) => IDBRequest<IDBValidKey>;

/** Collects the values that are put into databases other than `except`. */
function watchPuts(except: string, rows: unknown[]): () => void {
  const put = Reflect.get(IDBObjectStore.prototype, 'put') as Put;
  IDBObjectStore.prototype.put = function (this: IDBObjectStore, value: unknown, ...rest: []) {
    if (this.transaction.db.name !== except) rows.push(value);
    return put.call(this, value, ...rest);
  };
  return () => void (IDBObjectStore.prototype.put = put);
}

function bareDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open('bench-bare-rows', 1);
    request.onupgradeneeded = () => request.result.createObjectStore('rows', { autoIncrement: true });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('Cannot open the database.'));
  });
}

function putAll(database: IDBDatabase, rows: readonly unknown[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction('rows', 'readwrite', { durability: 'strict' });
    const store = transaction.objectStore('rows');
    for (const row of rows) store.put(row);
    transaction.oncomplete = () => resolve();
    transaction.onerror = () => reject(transaction.error ?? new Error('Cannot write to the database.'));
  });
}

/** Writes a file of 2 kB, changes a line of it, and reads it, in turns. The session stays open, so that its memory can be measured. */
async function longJob(steps: number): Promise<LongJob> {
  const before = await storedBytes();
  let calls = 0;
  const model = modelOf('long', async () => {
    const step = calls++;
    return step < steps ? replyOf(stepOf(step)) : replyOf(['end', {}]);
  });
  const held = await done({
    name: `long-${steps}`,
    storage: indexedDbStorage(),
    roles: [new RoleZero({ ...ROLE, model, tools: editor() })],
  });
  Object.assign(globalThis, { held });
  let bytes = -1;
  for (let now = await storedBytes(); now !== bytes; now = await storedBytes()) {
    bytes = now;
    await new Promise((resolve) => setTimeout(resolve, SETTLED));
  }
  return { bytes: bytes - before };
}

function stepOf(step: number): Command {
  const part = Math.floor(step / 3);
  const path = `/src/part-${part}.ts`;
  const old = `const line17 = 'value 17 of part ${part}';`;
  if (step % 3 === 0) return ['Editor.write', { path, content: source(part) }];
  if (step % 3 === 1) return ['Editor.replace_text', { path, old, new: `const line17 = ${part};` }];
  return ['Editor.read', { path }];
}

function source(part: number): string {
  let text = '';
  for (let line = 0; text.length < SMALL_FILE; line++)
    text += `const line${line} = 'value ${line} of part ${part}';\n`;
  return text;
}

async function storedBytes(): Promise<number> {
  const { usage = 0 } = await navigator.storage.estimate();
  return usage;
}
