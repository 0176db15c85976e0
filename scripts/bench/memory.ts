import * as esbuild from 'esbuild';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright';
import { chromiumPath, launchArguments } from '../chromium.mjs';
import type { Row } from './worker/measure.js';

interface Told {
  kind?: 'longTerm' | 'vectors' | 'lexical';
  row?: Row;
  bandwidth?: { javascript: number; kernel: number };
  done?: boolean;
  failed?: string;
}

interface Result {
  machine: string;
  browser: string;
  date: string;
  bandwidth: { javascript: number; kernel: number };
  longTerm: Row[];
  vectors: Row[];
  lexical: Row[];
}

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** A page that nothing else can look into has a clock of five microseconds, others one of a hundred. */
const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};
const HOUR = 3_600_000;

/** Runs everything in one worker of one Chromium, prints the tables, and writes them where asked. The exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      sizes: { type: 'string' },
      parts: { type: 'string' },
      json: { type: 'string' },
      docs: { type: 'boolean' },
    },
  });
  const sizes = (values.sizes ?? '1000,10000,100000').split(',').map(Number);
  const parts = (values.parts ?? 'long-term,vectors,lexical').split(',');
  const result = await measured(sizes, parts);
  const text = documentOf(result);
  console.log(text);
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(result, null, 2)}\n`);
  if (values.docs === true) {
    mkdirSync(here('../../docs/benchmarks'), { recursive: true });
    writeFileSync(here('../../docs/benchmarks/memory.md'), text);
  }
  return 0;
}

async function measured(sizes: readonly number[], parts: readonly string[]): Promise<Result> {
  const script = await bundled();
  const server = createServer(({ url }, response) => {
    const [type, body] =
      url === '/worker.js' ? ['javascript', script] : ['html', '<!doctype html><title>bench</title>'];
    response.writeHead(200, { 'content-type': `text/${type}`, ...ISOLATED }).end(body);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const executablePath = chromiumPath();
  const browser = await chromium.launch({
    args: [...launchArguments],
    ...(executablePath === undefined ? {} : { executablePath }),
  });
  const result: Result = {
    machine: `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores`,
    browser: `Chromium ${browser.version()}`,
    date: new Date().toISOString().slice(0, 10),
    bandwidth: { javascript: 0, kernel: 0 },
    longTerm: [],
    vectors: [],
    lexical: [],
  };
  try {
    const page = await browser.newPage();
    page.setDefaultTimeout(HOUR);
    let finish: (told: Told) => void = () => undefined;
    const finished = new Promise<Told>((resolve) => (finish = resolve));
    await page.exposeFunction('tell', (told: Told) => {
      if (told.bandwidth !== undefined) result.bandwidth = told.bandwidth;
      if (told.kind !== undefined && told.row !== undefined) {
        result[told.kind].push(told.row);
        console.error(
          `${told.kind} ${told.row.size} ${told.row.what}: ${told.row.p50?.toFixed(3) ?? told.row.note} ms`,
        );
      }
      if (told.done === true || told.failed !== undefined) finish(told);
    });
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await page.evaluate(
      (wanted) => {
        const worker = new Worker('/worker.js', { type: 'module' });
        const { tell } = window as unknown as { tell: (told: unknown) => void };
        worker.onmessage = ({ data }) => tell(data);
        worker.onerror = ({ message }) => tell({ failed: message });
        worker.postMessage(wanted);
      },
      { sizes, parts },
    );
    const { failed } = await finished;
    if (failed !== undefined) throw new Error(failed);
    return result;
  } finally {
    await browser.close();
    server.close();
  }
}

async function bundled(): Promise<string> {
  const { outputFiles } = await esbuild.build({
    entryPoints: [here('./worker/memory.worker.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    external: ['module', 'fs', 'path', 'crypto'], // what hnswlib-wasm asks for in Node
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}

function documentOf({ machine, browser, date, bandwidth, longTerm, vectors, lexical }: Result): string {
  const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB/s`;
  return `# Memory: how fast it is

Made by \`npm run bench:memory -- --docs\`: everything in one worker of one browser, one after the other. ${machine}; ${browser}; ${date}.
The worker reads ${gigabytes(bandwidth.javascript)} in JavaScript; the kernel compares ${gigabytes(bandwidth.kernel)} of bytes.

## Long-term memory as a whole

Messages of about 40 words in a session's database, with vectors of 384 numbers or without. Loading is from nothing, the database closed, to the
first 10 that are recalled, which go by words as long as vectors are being read; no chunk is of the newest 128 yet. A query goes by words, meaning, neighbours, speakers and time, and reads the 10 memories it found. Recall is how often
the message that the query was made of is among them.

${tableOf(longTerm)}

## The first 10 of vectors of 384 numbers

Vectors around 300 topics, made by a formula. Recall is the share of what an exact search finds; loading is from a small IndexedDB database.

${tableOf(vectors)}

## The first 10 of messages of about 40 words

Made words, as frequent as those of a language; a query is five words of one message. Recall is how often that message is among the first 10.

${tableOf(lexical)}
`;
}

function tableOf(rows: readonly Row[]): string {
  const number = (value: number | null, digits: number) => (value === null ? '' : value.toFixed(digits));
  const lines = rows.map(({ what, size, p50, p95, recall, build, addOne, bytes, load, note }) =>
    [
      size.toLocaleString('en'),
      what,
      number(p50, 3),
      number(p95, 3),
      number(recall, 4),
      number(build === null ? null : build / 1000, 2),
      number(addOne === null ? null : addOne * 1000, 0),
      number(bytes === null ? null : bytes / 1e6, 1),
      number(load, 0),
      note,
    ].join(' | '),
  );
  return [
    '| how many | what | p50 ms | p95 ms | recall | build s | add one µs | MB | load ms | |',
    '|--:|---|--:|--:|--:|--:|--:|--:|--:|---|',
    ...lines.map((line) => `| ${line} |`),
  ].join('\n');
}
