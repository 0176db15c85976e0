import { measureLexical } from './lexical.js';
import { measureBandwidth, measureVectors } from './vectors.js';

/** Measures what it is told to, and tells of each row as soon as it is there. */
addEventListener('message', ({ data }: MessageEvent<{ sizes: number[] }>) => {
  run(data.sizes).catch((error: unknown) =>
    postMessage({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});

async function run(sizes: readonly number[]): Promise<void> {
  postMessage({ bandwidth: await measureBandwidth() });
  for (const size of sizes) {
    for await (const row of measureVectors(size)) postMessage({ kind: 'vectors', row });
    for await (const row of measureLexical(size)) postMessage({ kind: 'lexical', row });
  }
  postMessage({ done: true });
}
