/** What a step of a loop leaves for the garbage collector: measured in the loop that stores nothing, when everything is warm. */
import { Session as Inspector, type HeapProfiler } from 'node:inspector';
import { countingRole } from '../bench/loop/counting-role.js';

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

async function runLoop(): Promise<void> {
  let count = 0;
  await countingRole(() => (count < STEPS ? ++count : null)).run('Add the numbers.');
}
