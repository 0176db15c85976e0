import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { ChatModel } from '../../../src/core/model.js';
import type { Storage } from '../../../src/core/store.js';
import { defineTool } from '../../../src/core/define-tool.js';
import { Memory } from '../../../src/memory/memory.js';
import { RoleZero } from '../../../src/agent/role-zero.js';
import { Session } from '../../../src/session/session.js';
import { memoryStorage } from '../../../src/storage/memory-storage.js';

/** Two messages per step: 10,000 at the end. */
const STEPS = 5_000;
/** Steps per measurement: compactions occur every few dozen. */
const SPAN = 250;
/** Tolerance for longer numbers and uneven clock steps. */
const FLAT = 1.15;

/** Counted operations, which are the same on every machine. */
interface Work {
  commits: number;
  recordsWritten: number;
  charactersWritten: number;
  storeReads: number;
  modelCalls: number;
  messagesSent: number;
  charactersSent: number;
  charactersCounted: number;
  messagesLookedAt: number;
  events: number;
  charactersReported: number;
}

const NOTHING: Work = {
  commits: 0,
  recordsWritten: 0,
  charactersWritten: 0,
  storeReads: 0,
  modelCalls: 0,
  messagesSent: 0,
  charactersSent: 0,
  charactersCounted: 0,
  messagesLookedAt: 0,
  events: 0,
  charactersReported: 0,
};

/** The counts at each model call, and the bytes of the heap at some of them. */
interface Course {
  atStep: Work[];
  heap: { step: number; bytes: number }[];
}

/** A session of this many steps with one command each. */
async function course(steps: number): Promise<Course> {
  const work = { ...NOTHING };
  const found: Course = { atStep: [], heap: [] };
  const looked = Memory.prototype.get;
  vi.spyOn(Memory.prototype, 'get').mockImplementation(function (this: Memory, k) {
    const messages = looked.call(this, k);
    work.messagesLookedAt += messages.length;
    return messages;
  });
  const model: ChatModel = {
    id: 'counting',
    contextWindow: 8_192,
    countTokens: (text) => {
      work.charactersCounted += text.length;
      return Math.ceil(text.length / 4);
    },
    async *chat({ purpose, messages }) {
      work.modelCalls += 1;
      work.messagesSent += messages.length;
      work.charactersSent += messages.reduce((sum, { content }) => sum + content.length, 0);
      if (purpose !== 'think') {
        yield { type: 'text-delta', text: purpose === 'classify' ? 'Response Category: TASK' : 'noted' };
        yield { type: 'finish', reason: 'stop' };
        return;
      }
      const step = found.atStep.push({ ...work }) - 1;
      if (step % (steps / 5) === 0) found.heap.push({ step, bytes: heapUsed() });
      const command =
        step === steps
          ? { command_name: 'end', args: {} }
          : { command_name: 'Counter.add', args: { n: step } };
      yield { type: 'text-delta', text: JSON.stringify([command]) };
      yield { type: 'finish', reason: 'stop' };
    },
  };
  const add = defineTool({
    name: 'Counter.add',
    description: 'Adds a number.',
    input: z.object({ n: z.number() }),
    run: ({ n }) => `Added ${n} to the sum, as was asked for.`,
  });
  const session = await Session.open({
    roles: [new RoleZero({ model, tools: [add], maxSteps: steps + 1, summarize: false, preset: 'full' })],
    storage: watched(memoryStorage(), work),
    name: 'growth',
    askUser: null,
    emit: (event) => {
      work.events += 1;
      work.charactersReported += JSON.stringify(event).length;
    },
  });
  const { result } = await session.send('Add the numbers.');
  expect(await result).toMatchObject({ status: 'done' });
  await session.close();
  return found;
}

function watched(storage: Storage, work: Work): Storage {
  return {
    open: async (name, options) => {
      const store = await storage.open(name, options);
      const commit = store.commit.bind(store);
      const read = store.read.bind(store);
      store.commit = (writes, random) => {
        work.commits += 1;
        work.recordsWritten += writes.length;
        work.charactersWritten += JSON.stringify(writes).length;
        return commit(writes, random);
      };
      store.read = (table, keys) => {
        work.storeReads += keys.length;
        return read(table, keys);
      };
      return store;
    },
    list: () => storage.list(),
    remove: (name) => storage.remove(name),
    export: (name) => storage.export(name),
    import: (document, name) => storage.import(document, name),
  };
}

let collect: () => void = () => {};

function heapUsed(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

describe('nothing grows faster than its work, from the first steps to 10,000 messages', () => {
  let long: Course;

  beforeAll(async () => {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
    long = await course(STEPS);
    vi.restoreAllMocks();
  }, 240_000);

  afterEach(() => vi.restoreAllMocks());

  /** The mean over some steps in the middle. */
  const workOf = (from: number, what: keyof Work): number =>
    (long.atStep[from + SPAN]?.[what] ?? NaN) - (long.atStep[from]?.[what] ?? NaN);

  test.each(Object.keys(NOTHING) as (keyof Work)[])('%s of a step', (what) => {
    const early = workOf(SPAN, what);
    expect(workOf(STEPS / 5 - SPAN, what)).toBeLessThanOrEqual(early * FLAT);
    expect(workOf(STEPS - SPAN, what)).toBeLessThanOrEqual(early * FLAT);
  });

  test('the counters are not always zero', () => {
    for (const what of [
      'commits',
      'charactersWritten',
      'charactersSent',
      'charactersCounted',
      'events',
    ] as const)
      expect(workOf(SPAN, what)).toBeGreaterThanOrEqual(SPAN);
    expect(long.atStep).toHaveLength(STEPS + 1);
  });

  test('counts a text once, not for every prompt', () => {
    const sent = workOf(STEPS - SPAN, 'charactersSent');
    expect(workOf(STEPS - SPAN, 'charactersCounted')).toBeLessThanOrEqual(sent / 4);
  });

  test('the heap, per step', () => {
    const perStep = long.heap.slice(1).map(({ step, bytes }, index) => {
      const before = long.heap[index];
      return (bytes - (before?.bytes ?? NaN)) / (step - (before?.step ?? NaN));
    });
    const [, second = NaN] = perStep; // The first fifth includes compiled code.
    expect(perStep).toHaveLength(5);
    expect(perStep.at(-1)).toBeLessThanOrEqual(second * 1.5);
  });
});
