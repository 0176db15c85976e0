import { measureLexical } from './lexical.js';
import { measureLongTerm, visit, type Visit } from './long-term.js';
import { measureBandwidth, measureVectors } from './vectors.js';

/** Runs the requested measurements and reports each row when it is done; or runs one visit of a memory and reports its times. */
addEventListener(
  'message',
  ({ data }: MessageEvent<{ sizes: number[]; parts: string[] } | { visit: Visit }>) => {
    const work =
      'visit' in data
        ? visit(data.visit).then((visited) => postMessage({ visited }))
        : run(data.sizes, new Set(data.parts));
    work.catch((error: unknown) =>
      postMessage({ failed: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  },
);

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
