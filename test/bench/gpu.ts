import { build } from 'esbuild';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright';
import { format } from 'prettier';
import { machine } from '../../scripts/bench/browser.js';
import { gpuSection, type GpuFigures, type GpuResult } from '../../scripts/bench/gpu-report.js';
import { chromiumPath, disableFeatures, webgpuArguments } from '../../scripts/chromium.mjs';
import { extraPackages } from '../../scripts/extra-packages.mjs';
import type { GpuTask } from './gpu/gpu.worker.js';

const HELP = `npm run bench:gpu -- [options]
  --largest NAME   the largest model to run: tiny, 0.5B or 1.5B (default 1.5B); tiny tries it on an emulated GPU
  --docs           writes the figures to docs/benchmarks/gpu.json
  --build FOLDER   only writes the page, to be opened on another machine: its \`measure({ largest })\` returns the result`;

const BASIC_ARGUMENTS = [disableFeatures(), '--no-sandbox', ...webgpuArguments];
/** Flags for a Chromium that uses the machine's GPU. */
const GPU_ARGUMENTS = [
  ...BASIC_ARGUMENTS,
  '--enable-features=Vulkan',
  '--use-angle=vulkan',
  '--disable-vulkan-surface',
  '--ignore-gpu-blocklist',
];
/** Chromium for Linux disables numbers of 16 bits on these GPUs. */
const HALVES_ON_NVIDIA = '--enable-dawn-features=vulkan_enable_f16_on_nvidia';

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'text/javascript',
  mjs: 'text/javascript',
  wasm: 'application/wasm',
};

/** Measures models with random weights on the GPU and on the processor. */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      largest: { type: 'string' },
      docs: { type: 'boolean' },
      build: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) {
    console.log(HELP);
    return 0;
  }
  if (values.build !== undefined) {
    await buildPage(values.build);
    return 0;
  }
  const folder = mkdtempSync(join(tmpdir(), 'gpu-'));
  try {
    await buildPage(folder);
    const figures = await measured(folder, { largest: (values.largest ?? '1.5B') as GpuTask['largest'] });
    console.log(gpuSection(figures).join('\n\n'));
    if (values.docs === true) {
      const file = fileURLToPath(new URL('../../docs/benchmarks/gpu.json', import.meta.url));
      writeFileSync(file, await format(JSON.stringify(figures), { parser: 'json' }));
      console.log('`npm run bench -- --report` adds it to docs/benchmarks.md.');
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return 0;
}

async function buildPage(folder: string): Promise<void> {
  const packages = join(extraPackages('transformers'), 'node_modules');
  mkdirSync(folder, { recursive: true });
  await build({
    entryPoints: [fileURLToPath(new URL('./gpu/gpu.worker.ts', import.meta.url))],
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'esnext',
    nodePaths: [packages],
    define: { ONNX_RUNTIME: '""' }, // beside the page
    alias: {
      '@huggingface/transformers': join(packages, '@huggingface/transformers/dist/transformers.web.js'),
    },
    outfile: join(folder, 'gpu.worker.js'),
    logLevel: 'error',
  });
  for (const kind of ['mjs', 'wasm']) {
    const name = `ort-wasm-simd-threaded.asyncify.${kind}`;
    cpSync(join(packages, 'onnxruntime-web/dist', name), join(folder, name));
  }
  writeFileSync(join(folder, 'index.html'), PAGE);
}

const PAGE = `<!doctype html>
<title>Models on the GPU</title>
<script>
  globalThis.measure = (task) =>
    new Promise((done, fail) => {
      const worker = new Worker('/gpu.worker.js', { type: 'module' });
      worker.onmessage = ({ data }) => (data.error ? fail(new Error(data.error)) : done(data.result));
      worker.onerror = (event) => fail(new Error(event.message));
      worker.postMessage(task);
    });
</script>
`;

async function measured(folder: string, task: GpuTask): Promise<GpuFigures> {
  const server = createServer((request, response) => {
    const name = request.url === '/' ? 'index.html' : (request.url ?? '').slice(1);
    readFile(join(folder, name)).then(
      (content) =>
        response.writeHead(200, { 'content-type': TYPES[name.split('.').pop() ?? ''] }).end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    const flags = task.largest === 'tiny' ? BASIC_ARGUMENTS : GPU_ARGUMENTS;
    const first = await run(url, task, flags);
    const runs = [first.result];
    const { vendor, features } = first.result.adapter;
    if (vendor === 'nvidia' && !features.includes('shader-f16'))
      runs.push((await run(url, task, [...flags, HALVES_ON_NVIDIA])).result);
    return {
      machine: `${vendor}, ${machine()}`,
      browser: `Chromium ${first.version}`,
      date: new Date().toISOString().slice(0, 10),
      runs,
    };
  } finally {
    server.close();
  }
}

async function run(url: string, task: GpuTask, flags: readonly string[]) {
  const executablePath = chromiumPath();
  const browser = await chromium.launch({
    args: [...flags],
    ...(executablePath === undefined ? {} : { executablePath }),
  });
  try {
    const page = await browser.newPage();
    page.on('console', (message) => console.error(message.text()));
    await page.goto(url);
    const result = await page.evaluate(
      (given) => (globalThis as unknown as { measure(task: GpuTask): Promise<GpuResult> }).measure(given),
      task,
    );
    return { result, version: browser.version() };
  } finally {
    await browser.close();
  }
}
