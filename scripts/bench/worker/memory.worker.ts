import { measureLexical } from './lexical.js';
import { measureLongTerm } from './long-term.js';
import { measureBandwidth, measureVectors } from './vectors.js';

/** Runs the requested measurements and reports each row when it is done. */
addEventListener('message', ({ data }: MessageEvent<{ sizes: number[]; parts: string[] }>) => {
  run(data.sizes, new Set(data.parts)).catch((error: unknown) =>
    postMessage({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
  );
});

async function run(sizes: readonly number[], parts: ReadonlySet<string>): Promise<void> {
  postMessage({ bandwidth: await measureBandwidth() });
  for (const size of sizes) {
    if (parts.has('long-term'))
      for await (const row of measureLongTerm(size)) postMessage({ kind: 'longTerm', row });
    if (parts.has('vectors'))
      for await (const row of measureVectors(size)) postMessage({ kind: 'vectors', row });
    if (parts.has('lexical'))
      for await (const row of measureLexical(size)) postMessage({ kind: 'lexical', row });
  }
  postMessage({ done: true });
}
