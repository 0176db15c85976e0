import { zipSync } from 'fflate';
import { importZip } from '../../src/files/index.js';
import { VirtualFiles } from '../../src/files/virtual-files.js';
import { RoleZero } from '../../src/agent/role-zero.js';
import { Session } from '../../src/session/session.js';
import { indexedDbStorage } from '../../src/storage/index.js';
import { scriptedModel } from '../../src/testing/index.js';
import { editor } from '../../src/tools/index.js';
import { justBash, lightningFs, memoryFs, ours, unpackers, zenFs, type Peer } from './files-peers.js';

/** One row of the table, in ms. */
export interface Row {
  task: string;
  who: string;
  median: number;
  best: number;
  rounds: number;
}

/** Runs contenders in turns, so that a disturbance affects all. One that returns a number has measured itself, in ms. */
async function race(
  task: string,
  rounds: number,
  contenders: Record<string, () => Promise<unknown>>,
): Promise<Row[]> {
  const times = new Map(Object.keys(contenders).map((who) => [who, [] as number[]]));
  for (let round = -1; round < rounds; round += 1) {
    console.log(`${task}: round ${round + 1} of ${rounds}`);
    for (const [who, work] of Object.entries(contenders)) {
      const started = performance.now();
      const own = await work();
      const ms = typeof own === 'number' ? own : performance.now() - started;
      if (round >= 0) times.get(who)?.push(ms); // The first round is a warm-up.
    }
  }
  return [...times].map(([who, all]) => {
    const sorted = all.toSorted((a, b) => a - b);
    return { task, who, median: sorted[Math.floor(sorted.length / 2)] ?? 0, best: sorted[0] ?? 0, rounds };
  });
}

const PEERS = [ours, justBash, memoryFs, zenFs, lightningFs];

async function filled(make: () => Peer, files: ReadonlyMap<string, string>): Promise<Peer> {
  const peer = make();
  for (const [path, text] of files) await peer.write(path, text);
  return peer;
}

async function editing(): Promise<Row[]> {
  const lines = Array.from({ length: 10_000 }, (_, i) => `line ${i} of a file that is not small any more\n`);
  const path = '/project/long.txt';
  const peers = await Promise.all(PEERS.map((make) => filled(make, new Map([[path, lines.join('')]]))));
  let turn = 0;
  const edit = (peer: Peer) => async (): Promise<void> => {
    turn += 1;
    const text = await peer.read(path);
    const at = text.indexOf('\nline 5000') + 1;
    await peer.write(
      path,
      `${text.slice(0, at)}line 5000 changed ${turn}${text.slice(text.indexOf('\n', at))}`,
    );
  };
  const task = 'read, replace a line and write in a file of 10,000 lines';
  const rows = await race(task, 25, Object.fromEntries(peers.map((peer) => [peer.name, edit(peer)])));
  const files = new VirtualFiles({ now: () => 0 });
  await files.write(path, lines.join(''));
  const tool = editor().find(({ name }) => name === 'Editor.replace_text');
  const state = {};
  let number = 5000;
  const byEditor = async (): Promise<void> => {
    const stage = files.stage();
    number += 1;
    const input = {
      path,
      old: `line ${number} of a file that is not small any more\n`,
      new: `line ${number}, edited\n`,
    };
    await tool?.run(input, {
      signal: new AbortController().signal,
      files: stage,
      session: { name: 's', role: 'r' },
      callId: `a.${number}.0`,
      state,
      output: () => {},
      pageChanged: () => {},
    });
    stage.changes({ by: 'agent', name: 'Editor.replace_text', id: `a.${number}.0` });
    stage.apply();
  };
  return [
    ...rows,
    ...(await race(task, 25, { 'rolezero, the whole command Editor.replace_text': byEditor })),
  ];
}

async function searching(): Promise<Row[]> {
  const files = new Map<string, string>();
  for (let i = 0; i < 2000; i += 1) {
    const text = `${'some words of a source file, again and again\n'.repeat(90)}needle ${i % 50}\n`;
    files.set(`/project/${i % 20}/${i % 7}/file${i}.txt`, text);
  }
  const peers = await Promise.all(PEERS.map((make) => filled(make, files)));
  const search = (peer: Peer) => async (): Promise<void> => {
    let found = 0;
    for (const path of await peer.list()) found += Number((await peer.read(path)).includes('needle 7\n'));
    if (found !== 40) throw new Error(`${peer.name} found ${found}`);
  };
  return race(
    'search 2,000 files of 4 kB',
    15,
    Object.fromEntries(peers.map((peer) => [peer.name, search(peer)])),
  );
}

/** 1,000 incompressible and 1,000 compressible files: an archive of about 50 MB. */
function archive(): { zip: Blob; files: number; bytes: number; packed: number } {
  const contents: Record<string, Uint8Array> = {};
  let seed = 1;
  for (let i = 0; i < 1000; i += 1) {
    const random = new Uint32Array(12_000);
    for (let at = 0; at < random.length; at += 1) {
      seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
      random[at] = seed ^ (seed >>> 15);
    }
    contents[`${i % 20}/picture${i}.bin`] = new Uint8Array(random.buffer);
    const words = Array.from(
      { length: 1500 },
      (_, at) => `word${(i * at) % 997}${at % 12 === 0 ? '\n' : ' '}`,
    ).join('');
    contents[`${i % 20}/text${i}.txt`] = new TextEncoder().encode(words);
  }
  const packed = zipSync(contents, { level: 6 });
  const bytes = Object.values(contents).reduce((sum, { length }) => sum + length, 0);
  return { zip: new Blob([packed]), files: 2000, bytes, packed: packed.length };
}

async function importing(): Promise<Row[]> {
  const { zip, files, bytes, packed } = archive();
  const check = (who: string, is: { files: number; bytes: number }): void => {
    if (is.files !== files || is.bytes !== bytes)
      throw new Error(`${who} unpacked ${is.files} files, ${is.bytes} bytes`);
  };
  const task = `import of a zip of ${Math.round(packed / 1e6)} MB, ${files} files, ${Math.round(bytes / 1e6)} MB`;
  const contenders: Record<string, () => Promise<unknown>> = {
    'rolezero importZip, into a workspace': async () => {
      const workspace = new VirtualFiles({ now: () => 0 });
      await importZip({ writeAll: async (inputs, options) => workspace.writeAll(inputs, options) }, zip);
      check('rolezero', { files: workspace.totals().files - 20, bytes: workspace.totals().bytes });
    },
  };
  for (const [who, unpack] of Object.entries(unpackers))
    contenders[who] = async () => check(who, await unpack(zip));
  const rows = await race(task, 3, contenders);
  const storage = indexedDbStorage();
  let number = 0;
  const stored = await race(task, 1, {
    'rolezero, a whole session: until it is safe in IndexedDB': async () => {
      number += 1;
      const session = await Session.open({
        storage,
        name: `bench-${number}`,
        roles: [new RoleZero({ model: scriptedModel([]) })],
        askUser: null,
        emit: () => {},
      });
      await importZip(session.files, zip);
      await session.close();
      await storage.remove(`bench-${number}`);
    },
  });
  return [...rows, ...stored];
}

/** Opens a session as a worker does before the first call for its files. */
async function openSession(name: string): Promise<Session> {
  const session = await Session.begin({
    storage: indexedDbStorage(),
    name,
    roles: [new RoleZero({ model: scriptedModel([]) })],
    askUser: null,
    emit: () => {},
  });
  await session.filesLoaded();
  return session;
}

/** A session that has just been opened: the contents of its other files must not matter. */
async function opening(): Promise<Row[]> {
  const size = 50_000;
  for (const [name, folders, perFolder] of [
    ['alone', 1, 1],
    ['large', 100, 52],
  ] as const) {
    const session = await openSession(name);
    for (let folder = 0; folder < folders; folder += 1) {
      const files = Array.from({ length: perFolder }, (_, index) => ({
        path: `/${folder}/file${index}.bin`,
        content: crypto.getRandomValues(new Uint8Array(size)),
      }));
      await session.files.writeAll(files);
    }
    await session.close();
  }
  const listed = (name: string) => async (): Promise<number> => {
    const started = performance.now();
    const session = await openSession(name);
    await session.files.list();
    const ms = performance.now() - started;
    await session.close();
    return ms;
  };
  const read = (name: string, path: string) => async (): Promise<number> => {
    const session = await openSession(name);
    const started = performance.now();
    const { length } = await session.files.readBytes(path);
    const ms = performance.now() - started;
    if (length !== size) throw new Error(`${path} has ${length} bytes`);
    await session.close();
    return ms;
  };
  return [
    ...(await race('open a session and list its files', 15, {
      'rolezero, one file': listed('alone'),
      'rolezero, 5,200 files, 260 MB': listed('large'),
    })),
    ...(await race('read a first file of 50 kB after that', 15, {
      'rolezero, one file': read('alone', '/0/file0.bin'),
      'rolezero, 5,200 files, 260 MB': read('large', '/70/file3.bin'),
    })),
  ];
}

const PARTS = { editing, searching, importing, opening };

/** Measures one part, or all. */
async function run(part: string): Promise<void> {
  try {
    const rows: Row[] = [];
    for (const [name, measure] of Object.entries(PARTS))
      if (part === '' || part === name) rows.push(...(await measure()));
    postMessage({ rows });
  } catch (error) {
    postMessage({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
}

addEventListener('message', ({ data }: MessageEvent<string>) => void run(data));
