import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { BrowserContext } from 'playwright';
import { format } from 'prettier';
import { browserName, machine, withBrowser } from './browser.js';
import { measureDemo } from './demo.js';
import { measureLoops } from './loops.js';
import { measurePages } from './pages.js';
import { reportOf, type Elsewhere, type Measured } from './report.js';

const docs = (path: string) => fileURLToPath(new URL(`../../docs/${path}`, import.meta.url));

const USAGE = `npm run bench -- [--rounds 7] [--limit 20000] [--report] [--only loop|page|demo] [--alone]
  --rounds  repetitions of everything
  --limit   milliseconds that one piece of work of a library may take
  --report  measures nothing: docs/benchmarks.md anew from the figures in docs/benchmarks
  --only    a part of it, to work with: prints figures and leaves docs as they are
  --alone   the loop without other libraries, but for the bare loop; only with --only loop`;

/** Measures, keeps the figures in `docs/benchmarks/run.json`, and makes `docs/benchmarks.md` of all that is there. The exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '7' },
      limit: { type: 'string', default: '20000' },
      report: { type: 'boolean', default: false },
      only: { type: 'string' },
      alone: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const { only, alone } = values;
  if (values.help || (only !== undefined && !(only in PARTS))) {
    console.log(USAGE);
    return values.help ? 0 : 1;
  }
  const options = { rounds: Number(values.rounds), limit: Number(values.limit), alone };
  if (only !== undefined) {
    const part = PARTS[only as keyof typeof PARTS];
    console.log(JSON.stringify(await withBrowser<unknown>((context) => part(context, options)), null, 1));
    return 0;
  }
  const before = read('run.json') as Measured | null;
  const measured = values.report ? before : await measure(options);
  if (measured === null) {
    console.error('There are no figures in docs/benchmarks yet: run it without --report.');
    return 1;
  }
  mkdirSync(docs('benchmarks'), { recursive: true });
  if (!values.report)
    writeFileSync(docs('benchmarks/run.json'), await format(JSON.stringify(measured), { parser: 'json' }));
  const elsewhere: Elsewhere = {
    memory: read('memory.json') as Elsewhere['memory'],
    files: read('files.json') as Elsewhere['files'],
    prompt: read('prompt.json') as Elsewhere['prompt'],
    sizes: JSON.parse(
      readFileSync(new URL('../../size-budget.json', import.meta.url), 'utf8'),
    ) as Elsewhere['sizes'],
  };
  const report = await format(reportOf(measured, elsewhere), { parser: 'markdown', printWidth: 140 });
  writeFileSync(docs('benchmarks.md'), report);
  console.log(report);
  return 0;
}

interface Options {
  rounds: number;
  limit: number;
  alone: boolean;
}

const page = (context: BrowserContext, { rounds }: Options) =>
  measurePages(context, { rounds, deltas: 50_000, messages: 10_000 });

const loops = (context: BrowserContext, options: Options) => measureLoops(context, options);

const demo = (context: BrowserContext, { rounds }: Options) =>
  measureDemo(context, { rounds, messages: 10_000 });

const PARTS = { loop: loops, page, demo };

async function measure(options: Options): Promise<Measured> {
  const [load = 0] = loadavg();
  return withBrowser(async (context) => {
    const where = { machine: machine(), browser: await browserName(context), load, rounds: options.rounds };
    const pages = await page(context, options);
    const steps = await loops(context, { ...options, alone: false });
    const visits = await demo(context, options);
    return { ...where, date: new Date().toISOString().slice(0, 10), loops: steps, page: pages, demo: visits };
  });
}

/** Null when it was not measured yet. */
function read(name: string): unknown {
  try {
    return JSON.parse(readFileSync(docs(`benchmarks/${name}`), 'utf8'));
  } catch {
    return null;
  }
}
