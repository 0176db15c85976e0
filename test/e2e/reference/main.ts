import { connect, pageTool, sessions, type Session } from 'rolezero';
import { frame } from 'rolezero/tools/frame';
import * as z from 'zod';
import type { ReferenceConfig, ReferenceNews } from './agent.worker.js';
import { ANSWER, REQUEST } from './steps.js';
import { filesOf } from '../kill-and-resume.js';

/** The result of one visit: the run ended, or its worker pauses at a point where it is to be killed. */
export type Visit = { ended: string; points: string[] } | { at: string; points: string[] };

let session: Session | null = null;
let worker: Worker | null = null;

/** Opens the session, continues its work, and stops at the first target; `terminate` ends the worker there. */
async function visit(name: string, targets: string[], terminate: boolean): Promise<Visit> {
  const points: string[] = [];
  const stopped = new Promise<Visit>((resolve) => {
    worker = new Worker(new URL('./agent.worker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<ReferenceNews | Record<string, never>>) => {
      if ('opened' in data) void window.heard(`opened ${data.opened}`);
      if (!('point' in data) || typeof data.point !== 'string') return;
      void window.heard(data.point);
      points.push(data.point);
      if (!data.kill) return;
      if (terminate) worker?.terminate();
      resolve({ at: data.point, points });
    });
  });
  const config: ReferenceConfig = { targets };
  const made = worker;
  if (made === null) throw new Error('there is no worker');
  const done = (async (): Promise<Visit> => {
    session = await connect(made, {
      session: name,
      config,
      takeOver: true,
      tools: [mail, till, frame({ element: document.body })],
      askHuman: ({ text }) => answer(text),
    });
    session.on((event) => {
      if (event.type === 'warning') void window.heard(`warning ${event.code}: ${event.message}`);
    });
    if (session.waiting !== null)
      await session.answer(session.waiting.id, await answer(session.waiting.text));
    if (session.resumable) return { ended: (await session.resume().result()).status, points };
    if (session.lastRun !== null) return { ended: session.lastRun.status, points };
    return { ended: (await session.send(REQUEST).result()).status, points };
  })();
  done.catch(() => {}); // Fails when the worker is killed during it.
  return Promise.race([stopped, done]);
}

async function answer(question: string): Promise<string> {
  if (!question.endsWith('again?')) return ANSWER;
  await window.reported('allowed', question);
  return 'yes';
}

const mail = pageTool({
  name: 'Mail.send',
  description: 'Sends a mail.',
  input: z.object({ to: z.string() }),
  effect: 'egress-write',
  trusted: true,
  replay: 'keyed',
  run: async ({ to }, { callId }) => {
    await window.reported(`mail ${to}`, callId);
    return `sent to ${to}`;
  },
});

const till = pageTool({
  name: 'Till.pay',
  description: 'Pays.',
  input: z.object({ what: z.string() }),
  effect: 'egress-write',
  trusted: true,
  replay: 'unsafe',
  onAmbiguous: 'ask',
  run: async ({ what }, { callId }) => {
    await window.reported(`pay ${what}`, callId);
    return `paid ${what}`;
  },
});

/** The complete final state as text; ids are numbered in order of appearance. */
async function look(): Promise<string> {
  if (session === null) throw new Error('there is no session');
  const { memory } = session;
  const found = {
    messages: [await session.messages(), await session.messages('Alex')],
    plan: await session.plan(),
    files: Object.entries(await filesOf(session)).sort(([one], [other]) => (one < other ? -1 : 1)),
    memory: (await memory.list()).map(({ id, role, message }) => [id, role, message.content]),
    deadLetters: (await session.inspect()).deadLetters.length,
    lastRun: session.lastRun,
  };
  const ids = new Map<string, string>();
  return JSON.stringify(found).replace(/[0-9a-f]{32}/g, (id) => {
    const known = ids.get(id) ?? `#${ids.size}`;
    ids.set(id, known);
    return known;
  });
}

async function remove(name: string): Promise<void> {
  await session?.close();
  worker?.terminate();
  await sessions.remove(name);
}

declare global {
  interface Window {
    reference: { visit: typeof visit; look: typeof look; remove: typeof remove };
    /** Reports effects outside of the session to a process that survives the browser. */
    reported: (what: string, key: string) => Promise<void>;
    /** Each point and warning as it arrives. */
    heard: (news: string) => Promise<void>;
  }
}
window.reference = { visit, look, remove };

/** A call that the page receives over HTTP, where the browser has no driver. */
export type Order =
  | { id: number; call: 'visit'; args: Parameters<typeof visit> }
  | { id: number; call: 'look' | 'reload'; args: [] }
  | { id: number; call: 'remove'; args: [string] };

/** Gets one order after the other from a server, and posts the results. */
async function obey(server: string): Promise<void> {
  const post = (path: string, body: object) =>
    fetch(server + path, { method: 'POST', body: JSON.stringify(body) });
  window.reported = async (what, key) => void (await post('reported', { what, key }));
  window.heard = () => Promise.resolve();
  for (;;) {
    const order = (await (await fetch(`${server}order`)).json()) as Order;
    const { id } = order;
    if (order.call === 'reload') {
      await post('answer', { id });
      location.reload();
      return;
    }
    const result = await carryOut(order).then(
      (value) => ({ value }),
      (error: unknown) => ({ error: String(error) }),
    );
    await post('answer', { id, ...result });
  }
}

async function carryOut(order: Exclude<Order, { call: 'reload' }>): Promise<unknown> {
  switch (order.call) {
    case 'visit':
      return visit(...order.args);
    case 'look':
      return look();
    case 'remove':
      return remove(...order.args);
  }
}

const orders = new URLSearchParams(location.hash.slice(1)).get('orders');
if (orders !== null) void obey(orders);
