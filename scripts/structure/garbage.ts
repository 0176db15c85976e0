/** What a step of a loop leaves for the garbage collector: measured in the loop that stores nothing, when everything is warm. */
import { Session as Inspector, type HeapProfiler } from 'node:inspector';
import * as z from 'zod';
import { RoleZero } from '../../src/agent/role-zero.js';
import { defineTool } from '../../src/core/define-tool.js';
import type { ChatModel } from '../../src/core/model.js';

const STEPS = 1_000;
/** Runs before the measured ones, until the compiler of the engine has seen enough. */
const WARM_UP = 6;
const MEASURED = 4;
/** Bytes between two samples of allocations. */
const INTERVAL = 2_048;

/** Returns the bytes that a step allocates on average. */
export async function measureGarbage(): Promise<number> {
  for (let run = 0; run < WARM_UP; run++) await runLoop();
  const inspector = new Inspector();
  inspector.connect();
  inspector.post('HeapProfiler.enable');
  inspector.post('HeapProfiler.startSampling', {
    samplingInterval: INTERVAL,
    // Newer than the types: without these, only what is still in use counts.
    ...{ includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true },
  });
  for (let run = 0; run < MEASURED; run++) await runLoop();
  let bytes = 0;
  inspector.post('HeapProfiler.stopSampling', (error, { profile }) => {
    if (error !== null) throw error;
    bytes = sizeOf(profile.head);
  });
  inspector.disconnect();
  return bytes / STEPS / MEASURED;
}

function sizeOf({ selfSize, children }: HeapProfiler.SamplingHeapProfileNode): number {
  return children.reduce((sum, child) => sum + sizeOf(child), selfSize);
}

const add = defineTool({
  name: 'Counter.add',
  description: 'Adds a number to the sum.',
  input: z.object({ n: z.number() }),
  run: ({ n }) => `added ${n}`,
});

/** A model that replies at once: with the next number, and at last with the end. */
function countingModel(): ChatModel {
  let count = 0;
  const next = (): string => {
    count += 1;
    return JSON.stringify([
      count > STEPS ? { command_name: 'end', args: {} } : { command_name: 'Counter.add', args: { n: count } },
    ]);
  };
  return {
    id: 'counting',
    contextWindow: 1_000_000,
    async *chat({ purpose }) {
      yield { type: 'text-delta', text: purpose === 'think' ? next() : 'Response Category: TASK' };
      yield { type: 'finish', reason: 'stop' };
    },
  };
}

async function runLoop(): Promise<void> {
  const role = new RoleZero({
    model: countingModel(),
    tools: [add],
    maxSteps: 2 * STEPS,
    summarize: false,
    language: 'English',
  });
  await role.run('Add the numbers.');
}
