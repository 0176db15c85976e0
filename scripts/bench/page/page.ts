import { connect } from '../../../src/index.js';
import type { AgentConfig } from './agent.worker.js';

/** Milliseconds from `connect`, for a page that has been loaded before. */
interface Start {
  connected: number;
  firstEvent: number;
}

/** Length of each token of the agent's model. */
const TOKEN_LENGTH = 5;

interface Stream {
  /** Tokens per second, from the first to the last. */
  perSecond: number;
  /** In ms, the longest time in which the page ran no other task. */
  longestGap: number;
  /** Number of long tasks by the browser's definition: 50 ms and more. */
  longTasks: number;
}

const agent = (): Worker => new Worker('/agent.js', { type: 'module' });

/** The first event of new sessions. */
function starts(rounds: number): Promise<Start[]> {
  return visits(rounds, (round) => `start-${round}`);
}

/** The first event of a session that was visited before, one visit after the other. */
function returns(rounds: number, name: string): Promise<Start[]> {
  return visits(rounds, () => name);
}

async function visits(rounds: number, name: (round: number) => string): Promise<Start[]> {
  const found: Start[] = [];
  for (let round = 0; round <= rounds; round++) {
    const from = performance.now();
    const session = await open(name(round), { deltas: 1 });
    const connected = performance.now() - from;
    const run = session.send('Say a word.');
    for await (const _ of run) break;
    const firstEvent = performance.now() - from;
    await run.result();
    await session.close();
    if (round > 0) found.push({ connected, firstEvent }); // The first one fills the cache.
  }
  return found;
}

/** Milliseconds from `connect` until the first byte of the request to the model reaches the server. */
async function firstCall(name: string): Promise<number> {
  const from = performance.timeOrigin + performance.now();
  const session = await open(name, { deltas: 1, isRemote: true });
  await session.send('Say a word.').result();
  await session.close();
  const arrived = await fetch('/arrived', { method: 'POST' });
  return Number(await arrived.text()) - from;
}

/** Milliseconds from the moment a model gives a word of its thought to the event on the page, for each word. */
async function thoughtDelays(name: string): Promise<number[]> {
  const session = await open(name, { deltas: 0, givesTimes: true });
  const delays = new Map<string, number>();
  let thought = '';
  session.on((event) => {
    if (event.type !== 'thought-delta') return;
    const now = performance.timeOrigin + performance.now();
    thought += event.text;
    for (const [time] of thought.matchAll(/\d{13}\.\d\d/g)) {
      if (!delays.has(time)) delays.set(time, now - Number(time));
    }
  });
  await session.send('Think.').result();
  await session.close();
  return [...delays.values()];
}

/** Milliseconds from `connect` to the content of a file. */
async function firstRead(name: string, path: string): Promise<number> {
  const from = performance.now();
  const session = await open(name, { deltas: 1 });
  await session.files.read(path);
  const ms = performance.now() - from;
  await session.close();
  return ms;
}

/** Milliseconds from `connect` to the list of all files of a session, and their number. */
async function lists(name: string, rounds: number): Promise<{ ms: number[]; files: number }> {
  const ms: number[] = [];
  let files = 0;
  for (let round = 0; round < rounds; round++) {
    const from = performance.now();
    const session = await open(name, { deltas: 1 });
    files = (await session.files.list()).length;
    ms.push(performance.now() - from);
    await session.close();
  }
  return { ms, files };
}

async function streams(rounds: number, deltas: number): Promise<Stream[]> {
  const found: Stream[] = [];
  for (let round = 0; round < rounds; round++) {
    const session = await open(`stream-${round}`, { deltas });
    const gaps = watchGaps();
    let count = 0;
    let first = 0;
    let last = 0;
    session.on((event) => {
      if (event.type !== 'reply-delta') return;
      last = performance.now();
      if (count === 0) first = last;
      count += event.text.length / TOKEN_LENGTH; // An event may contain several.
    });
    await session.send('Talk.').result();
    const { longestGap, longTasks } = gaps.stop();
    await session.close();
    found.push({ perSecond: (count / (last - first)) * 1_000, longestGap, longTasks });
  }
  return found;
}

/** Milliseconds from `stop` to the end of the run while a model streams. */
async function stops(rounds: number): Promise<number[]> {
  const session = await open('stop', { deltas: Infinity });
  const found: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const run = session.send('Talk.');
    for await (const event of run) if (event.type === 'reply-delta') break;
    const from = performance.now();
    run.stop();
    await run.result();
    found.push(performance.now() - from);
  }
  await session.close();
  return found;
}

interface Resume {
  /** Milliseconds from `connect` to the end of the conversation, which a page shows first. */
  ms: number;
  /** … and to the complete conversation. */
  whole: number;
  messages: number;
}

/** The conversation of a session that this page has not opened yet. */
async function resume(name: string): Promise<Resume> {
  const from = performance.now();
  const session = await open(name, { deltas: 1 });
  const newest = await session.messages({ last: 50 });
  const ms = performance.now() - from;
  const all = await session.messages();
  const whole = performance.now() - from;
  await session.close();
  if (newest.length < 50 || newest.at(-1)?.id !== all.at(-1)?.id)
    throw new Error('These are not the newest.');
  return { ms, whole, messages: all.length };
}

function open(session: string, config: AgentConfig): ReturnType<typeof connect> {
  return connect(agent, { session, config });
}

/** The longest delay of a task that the page schedules repeatedly. */
function watchGaps(): { stop: () => { longestGap: number; longTasks: number } } {
  let longestGap = 0;
  let longTasks = 0;
  let last = performance.now();
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    const now = performance.now();
    longestGap = Math.max(longestGap, now - last);
    last = now;
    port2.postMessage(null);
  };
  port2.postMessage(null);
  const observer = new PerformanceObserver((list) => (longTasks += list.getEntries().length));
  observer.observe({ type: 'longtask' });
  return {
    stop() {
      observer.disconnect();
      port1.close();
      return { longestGap, longTasks };
    },
  };
}

export interface PageBench {
  starts: typeof starts;
  returns: typeof returns;
  firstCall: typeof firstCall;
  thoughtDelays: typeof thoughtDelays;
  firstRead: typeof firstRead;
  lists: typeof lists;
  streams: typeof streams;
  stops: typeof stops;
  resume: typeof resume;
}
(globalThis as { bench?: PageBench }).bench = {
  starts,
  returns,
  firstCall,
  thoughtDelays,
  firstRead,
  lists,
  streams,
  stops,
  resume,
};
