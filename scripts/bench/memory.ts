import * as esbuild from 'esbuild';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { BrowserContext } from 'playwright';
import { format } from 'prettier';
import { browserName, withBrowser } from './browser.js';
import { memorySection, withEarlier, type MemoryResult } from './memory-report.js';
import type { Row } from './worker/measure.js';

interface Report {
  kind?: 'longTerm' | 'vectors' | 'lexical';
  row?: Row;
  bandwidth?: { javascript: number; kernel: number };
  done?: boolean;
  failed?: string;
}

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
/** A cross-origin isolated page has a clock resolution of five microseconds, others of a hundred. */
const ISOLATED = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
};
const HOUR = 3_600_000;

/**
 * Runs everything in one worker of one Chromium, prints the tables, and writes them on request. Returns the exit
 * code.
 */
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
  const stored = here('../../docs/benchmarks/memory.json');
  const fresh = await measured(sizes, parts);
  const result =
    values.docs === true && existsSync(stored)
      ? withEarlier(fresh, JSON.parse(readFileSync(stored, 'utf8')) as MemoryResult)
      : fresh;
  console.log(memorySection(result, null).join('\n\n'));
  const json = await format(JSON.stringify(result), { parser: 'json' });
  if (values.json !== undefined) writeFileSync(values.json, json);
  if (values.docs === true) {
    mkdirSync(here('../../docs/benchmarks'), { recursive: true });
    writeFileSync(stored, json);
    console.log('`npm run bench -- --report` adds it to docs/benchmarks.md.');
  }
  return 0;
}

/** Measures with a profile on disk: without one, files take several times as long. */
function measured(sizes: readonly number[], parts: readonly string[]): Promise<MemoryResult> {
  return withBrowser((context) => measuredIn(context, sizes, parts));
}

async function measuredIn(
  context: BrowserContext,
  sizes: readonly number[],
  parts: readonly string[],
): Promise<MemoryResult> {
  const script = await bundled();
  const server = createServer(({ url }, response) => {
    const [type, body] =
      url === '/worker.js' ? ['javascript', script] : ['html', '<!doctype html><title>bench</title>'];
    response.writeHead(200, { 'content-type': `text/${type}`, ...ISOLATED }).end(body);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const result: MemoryResult = {
    machine: `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores`,
    browser: await browserName(context),
    date: new Date().toISOString().slice(0, 10),
    load: loadavg()[0] ?? 0,
    versions: versions(),
    bandwidth: { javascript: 0, kernel: 0 },
    longTerm: [],
    vectors: [],
    lexical: [],
  };
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(HOUR);
    let finish: (report: Report) => void = () => undefined;
    const finished = new Promise<Report>((resolve) => (finish = resolve));
    await page.exposeFunction('tell', (report: Report) => {
      if (report.bandwidth !== undefined) result.bandwidth = report.bandwidth;
      if (report.kind !== undefined && report.row !== undefined) {
        result[report.kind].push(report.row);
        console.error(
          `${report.kind} ${report.row.size} ${report.row.what}: ${(report.row.p50 ?? report.row.load)?.toFixed(3) ?? report.row.note} ms`,
        );
      }
      if (report.done === true || report.failed !== undefined) finish(report);
    });
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await page.evaluate(
      (wanted) => {
        const worker = new Worker('/worker.js', { type: 'module' });
        const { tell } = window as unknown as { tell: (report: unknown) => void };
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
    external: ['module', 'fs', 'path', 'crypto'], // hnswlib-wasm requires these in Node.
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}

/** Installed versions of the other libraries. */
function versions(): Record<string, string> {
  return Object.fromEntries(
    ['@orama/orama', 'hnswlib-wasm', 'minisearch'].map((name) => {
      const about = JSON.parse(readFileSync(here(`../../node_modules/${name}/package.json`), 'utf8')) as {
        version: string;
      };
      return [name, about.version];
    }),
  );
}
