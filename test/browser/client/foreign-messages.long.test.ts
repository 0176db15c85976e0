import { afterEach, beforeEach, expect, it } from 'vitest';
import { connect, sessions, type AgentEvent, type Session } from 'rolezero';
import { commands } from 'rolezero/testing';

const write = commands(['Editor.write', { path: '/a.txt', content: 'hello\n' }]);
const ask = commands(['RoleZero.ask_human', { question: 'Which color?' }]);
const finish = commands(['RoleZero.reply_to_human', { content: 'There it is.' }], ['end', {}]);
const SCRIPT = [write, ask, finish];

let uncaught: string[] = [];
const fromWorkers = new BroadcastChannel('foreign-messages-uncaught');
fromWorkers.onmessage = ({ data }) => void uncaught.push(String(data));
const onError = ({ message }: ErrorEvent) => void uncaught.push(message);
const onRejection = ({ reason }: PromiseRejectionEvent) => void uncaught.push(String(reason));
const open: Session[] = [];
const workers: Worker[] = [];
let number = 0;

beforeEach(() => {
  uncaught = [];
  addEventListener('error', onError);
  addEventListener('unhandledrejection', onRejection);
});
afterEach(async () => {
  removeEventListener('error', onError);
  removeEventListener('unhandledrejection', onRejection);
  const names = new Set(open.map(({ name }) => name));
  for (const session of open.splice(0)) await session.close();
  for (const worker of workers.splice(0)) worker.terminate();
  for (const name of names) await sessions.remove(name);
  for (const frame of document.querySelectorAll('iframe.outsider')) frame.remove();
});

function worker(): Worker {
  const one = new Worker(new URL('./foreign-messages.worker.ts', import.meta.url), { type: 'module' });
  workers.push(one);
  return one;
}

async function session(
  name: string,
  made: Worker,
  options: object = {},
): Promise<{ agent: Session; heard: AgentEvent[] }> {
  const agent = await connect(made, {
    session: name,
    config: { script: SCRIPT },
    askHuman: () => 'red',
    ...options,
  });
  open.push(agent);
  const heard: AgentEvent[] = [];
  agent.on((event) => heard.push(event));
  return { agent, heard };
}

/**
 * Messages that other code may post to the same worker or window. Each is created on use: ports and buffers are
 * transferred only once.
 */
const SENT: (() => { data: unknown; transfer?: Transferable[] })[] = [
  ...[
    undefined,
    null,
    0,
    '',
    'hello',
    'disconnect',
    [],
    [[]],
    new Date(0),
    /x/,
    new Map([['rolezero', 'hello']]),
  ].map((data) => () => ({ data })),
  ...[
    { rolezero: null },
    { rolezero: 'hello', version: 1 },
    { rolezero: 'ready', version: 9 },
    { rolezero: 'ready', version: 999 },
    { rolezero: 'connect' },
    { rolezero: 'connect', port: null },
    { rolezero: 'connect', port: 'port' },
    { rolezero: 'connect', port: { postMessage: 'x', start: 1 } },
    { rolezero: 'disconnected' },
    { rolezero: { toString: 'hello' } },
    { rolezero: 'show', html: '<script>parent.postMessage(1)</script>', base: '/', nonce: 'x' },
    { rolezero: 'drive', firstId: 1, dialogs: { accept: true, text: null }, quiet: 1, prefix: '' },
    { rolezero: 'here', url: 'https://stranger.example/', loaded: true },
    { type: 'APPLY', id: '1', path: ['stop'], argumentList: [] },
    { type: 'GET', id: '1', path: ['constructor'] },
    { type: 'SET', id: '1', path: ['__proto__', 'x'], value: { type: 'RAW', value: 1 } },
    { type: 'CONSTRUCT', id: '1', path: [], argumentList: [{ type: 'HANDLER', name: 'throw', value: {} }] },
    { type: 'RELEASE', id: '1' },
    { events: [], view: {} },
    { events: [{ type: 'run-end', status: 'done' }], view: { viewing: true } },
    { run: { command: 'rm -rf /' }, files: {} },
    JSON.parse('{"__proto__": {"rolezero": "disconnect"}}'),
  ].map((data: unknown) => () => ({ data })),
  () => {
    const loop: Record<string, unknown> = { rolezero: 'connect' };
    loop['port'] = loop;
    return { data: loop };
  },
  () => {
    const { port1 } = new MessageChannel();
    return { data: { rolezero: 'hello', port: port1 }, transfer: [port1] };
  },
  () => {
    const { port1, port2 } = new MessageChannel();
    return { data: { rolezero: 'connect', port: [port1], ports: { port2 } }, transfer: [port1, port2] };
  },
  () => {
    const { port1 } = new MessageChannel();
    return {
      data: {
        type: 'APPLY',
        id: '2',
        path: ['open'],
        argumentList: [{ type: 'HANDLER', name: 'proxy', value: port1 }],
      },
      transfer: [port1],
    };
  },
  () => {
    const buffer = new ArrayBuffer(64 * 1024 * 1024);
    return { data: { rolezero: 'connect', port: buffer }, transfer: [buffer] };
  },
  () => ({ data: { rolezero: 'x'.repeat(8 * 1024 * 1024) } }),
  () => ({
    data: Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`rolezero${index}`, index])),
  }),
];

const postAllTo = (target: { postMessage(data: unknown, transfer: Transferable[]): void }) => {
  for (const make of SENT) {
    const { data, transfer = [] } = make();
    target.postMessage(data, transfer);
  }
};
const toWindow = {
  postMessage: (data: unknown, transfer: Transferable[]) => window.postMessage(data, '*', transfer),
};

/** An untrusted page in a frame, which posts to the window that shows it. */
async function other(): Promise<void> {
  const frame = document.createElement('iframe');
  frame.className = 'outsider';
  frame.setAttribute('sandbox', 'allow-scripts');
  frame.srcdoc = `<script>
    const send = () => {
      for (const kind of ['hello', 'ready', 'connect', 'disconnect', 'show', 'drive', 'here']) {
        const { port1, port2 } = new MessageChannel();
        parent.postMessage({ rolezero: kind, version: 9, port: port1, url: '${location.origin}/', loaded: true }, '*', [port1, port2]);
      }
    };
    for (let times = 0; times < 50; times++) send();
    parent.postMessage('sent', '*');
  </script>`;
  const sent = new Promise<void>((resolve) => {
    addEventListener('message', ({ data, source }) => {
      if (data === 'sent' && source === frame.contentWindow) resolve();
    });
  });
  document.body.append(frame);
  await sent;
}

/** Types of events in order, and the complete streamed text: a busy page receives it in other pieces. */
const received = (heard: readonly AgentEvent[]) => ({
  types: heard
    .map(({ type }) => type)
    .filter((type) => type !== 'storage-persistence' && !type.endsWith('-delta')),
  text: heard.map((event) => (event.type === 'reply-delta' ? event.text : '')).join(''),
});

it('ignores foreign messages on the worker and the window', async () => {
  const name = `foreign-messages-${++number}`;
  const plain = await session(`${name}-plain`, worker());
  await plain.agent.send('write').result();

  const made = worker();
  postAllTo(made);
  postAllTo(toWindow);
  const opening = session(name, made);
  postAllTo(made);
  const { agent, heard } = await opening;
  const result = agent.send('write').result();
  for (let times = 0; times < 3; times++) {
    postAllTo(made);
    postAllTo(toWindow);
    await other();
  }
  expect(await result).toEqual({ status: 'done', summary: 'There it is.', error: null });
  expect(received(heard)).toEqual(received(plain.heard));
  expect(await agent.files.read('/a.txt')).toBe('hello\n');
  expect((await agent.messages()).length).toBe((await plain.agent.messages()).length);
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  expect(uncaught).toEqual([]);
});

it('ends the previous session when a handshake is replayed, and the next request reopens it', async () => {
  const made = worker();
  const { agent } = await session(`foreign-messages-${++number}`, made);
  const { port1 } = new MessageChannel();
  made.postMessage({ rolezero: 'connect', port: port1 }, [port1]);
  await expect(agent.send('write').result()).rejects.toThrow(/./);
  await agent.close();
  const { agent: again } = await session(agent.name, worker());
  expect((await again.send('write').result()).status).toBe('done');
  expect(uncaught).toEqual([]);
});

it('ignores foreign messages on the channel of a read-only session', async () => {
  const name = `foreign-messages-${++number}`;
  const { agent: first, heard } = await session(name, worker(), { askHuman: undefined });
  const { agent: second, heard: seen } = await session(name, worker(), { view: true, askHuman: undefined });
  const channel = new BroadcastChannel(`rolezero:rolezero:${name}`);
  const view = {
    waiting: null,
    resumable: false,
    running: null,
    lastRun: null,
    viewing: false,
    position: null,
  };
  const junk: unknown[] = [
    ...SENT.slice(0, 33).map((make) => make().data),
    { type: 'look', holder: 1 },
    { type: 'call', call: '1', holder: 'x', method: 'stop', args: [] },
    ...['constructor', '__proto__', 'send', 'open', 'close', 'beat', 'memory.import', 'toString'].map(
      (method) => ({
        type: 'call',
        call: '1',
        holder: '',
        method,
        args: [],
      }),
    ),
    { type: 'call', call: '1', holder: '', method: 'files.write', args: ['/a', 'x'] },
    { type: 'call', call: '1', holder: '', method: 'files.read', args: [{ toString: 1 }] },
    { type: 'view', holder: 'x', view: {} },
    { type: 'view', holder: 'x', view: { ...view, waiting: { id: 1 } } },
    { type: 'view', holder: 'x', view: { ...view, running: 7 } },
    { type: 'events', holder: 'x', batch: {} },
    { type: 'events', holder: 'x', batch: { events: [null], view } },
    {
      type: 'events',
      holder: 'x',
      batch: { events: [{ type: 'run-end' }], view: { ...view, position: { place: 1 } } },
    },
    { type: 'result', call: '1', result: {} },
    { type: 'result', call: 'constructor', result: { ok: true, value: 1 } },
  ];
  const speak = () => junk.forEach((each) => channel.postMessage(each));
  speak();
  const result = first.send('write').result();
  await expect.poll(() => second.waiting?.text).toBe('Which color?');
  speak();
  await second.answer(second.waiting?.id ?? '', 'red');
  speak();
  expect((await result).status).toBe('waiting');
  expect((await first.resume().result()).status).toBe('done');
  await expect.poll(() => received(seen).types.at(-1)).toBe('run-end');
  expect(received(seen)).toEqual(received(heard));
  expect(await second.files.read('/a.txt')).toBe('hello\n');
  expect(await second.messages()).toEqual(await first.messages());
  expect(second.viewing).toBe(true);
  channel.close();
  expect(uncaught).toEqual([]);
});
