import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { format } from 'prettier';
import { agreement, agreementText, type Figures } from './agreement.js';
import { browserName, machine, withBrowser } from './browser.js';
import { measureDemo, type DemoTimes } from './demo.js';
import { demoOver, loopsOver, pageOver } from './launches.js';
import { measureLoops, type LoopRow } from './loops.js';
import { measurePages, type PageTimes } from './pages.js';
import { reportOf, type Elsewhere, type Measured } from './report.js';

const docs = (path: string) => fileURLToPath(new URL(`../../docs/${path}`, import.meta.url));

const USAGE = `npm run bench -- [--launches 3] [--rounds 2] [--limit 20000] [--report] [--only loop|page|demo] [--alone] [--before PATH] [--against figures.json]
  --launches  launches of the browser, each of which measures everything; the distance between them is the reported noise
  --rounds    repetitions of everything in each launch
  --limit     time limit of one run of a library, in ms
  --report    measures nothing: rewrites docs/benchmarks.md from the figures in docs/benchmarks
  --only      one part, for development: prints its figures and does not change docs
  --alone     the loop without other libraries, except the bare loop; only with --only loop
  --before    another checkout of this repository, whose loop takes turns with the others
  --against   compares with the figures of another run, such as docs/benchmarks/run.json or the output of --only; lists differences above
              the noise of both runs and exits with 1 if there are any`;

/**
 * Runs the benchmarks, stores the figures in `docs/benchmarks/run.json`, and writes `docs/benchmarks.md` from all
 * figures. Returns the exit code.
 */
export async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      launches: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '2' },
      limit: { type: 'string', default: '20000' },
      report: { type: 'boolean', default: false },
      only: { type: 'string' },
      alone: { type: 'boolean', default: false },
      before: { type: 'string' },
      against: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const { only, alone, against } = values;
  if (values.help || (only !== undefined && !isPart(only))) {
    console.log(USAGE);
    return values.help ? 0 : 1;
  }
  const other = against === undefined ? null : (JSON.parse(readFileSync(against, 'utf8')) as Figures);
  const options = {
    launches: Number(values.launches),
    rounds: Number(values.rounds),
    limit: Number(values.limit),
    alone,
    before: values.before,
  };
  if (only !== undefined && isPart(only)) {
    const { figures } = await measure([only], options);
    console.log(JSON.stringify(figures, null, 1));
    return compared(figures, other);
  }
  const measured = values.report ? (read('run.json') as Measured | null) : await measureAll(options);
  if (measured === null) {
    console.error('There are no figures in docs/benchmarks yet: run it without --report.');
    return 1;
  }
  mkdirSync(docs('benchmarks'), { recursive: true });
  if (!values.report)
    writeFileSync(docs('benchmarks/run.json'), await format(JSON.stringify(measured), { parser: 'json' }));
  const elsewhere: Elsewhere = {
    memory: read('memory.json') as Elsewhere['memory'],
    recall: read('recall.json') as Elsewhere['recall'],
    gpu: read('gpu.json') as Elsewhere['gpu'],
    files: read('files.json') as Elsewhere['files'],
    bytes: read('bytes.json') as Elsewhere['bytes'],
    prompt: read('prompt.json') as Elsewhere['prompt'],
    sizes: read('sizes.json') as Elsewhere['sizes'],
    programs: read('programs.json') as Elsewhere['programs'],
    sessions: read('sessions.json') as Elsewhere['sessions'],
  };
  const report = reportOf(measured, elsewhere);
  writeFileSync(docs('benchmarks.md'), report);
  console.log(report);
  return compared(measured, other);
}

/** Compares two runs, if there is another one. Returns the exit code. */
function compared(figures: Figures, other: Figures | null): number {
  if (other === null) return 0;
  const found = agreement(figures, other);
  console.error(agreementText(found));
  return found.outside.length === 0 ? 0 : 1;
}

interface Options {
  launches: number;
  rounds: number;
  limit: number;
  alone: boolean;
  before: string | undefined;
}

const PARTS = ['page', 'loop', 'demo'] as const;
type Part = (typeof PARTS)[number];

function isPart(name: string): name is Part {
  return (PARTS as readonly string[]).includes(name);
}

/**
 * Every launch measures all parts, so that the launches of one part are spread over time: slow drift counts as noise,
 * too.
 */
async function measure(
  parts: readonly Part[],
  { launches, rounds, limit, alone, before }: Options,
): Promise<{ figures: Figures; browser: string }> {
  const pages: PageTimes[] = [];
  const loops: LoopRow[][] = [];
  const visits: DemoTimes[] = [];
  let browser = '';
  for (let launch = 0; launch < launches; launch++) {
    await withBrowser(async (context) => {
      browser = await browserName(context);
      if (parts.includes('page'))
        // The cheapest part, and the one with the shortest times.
        pages.push(await measurePages(context, { rounds: rounds * 2, deltas: 50_000, messages: 10_000 }));
      if (parts.includes('loop')) loops.push(await measureLoops(context, { rounds, limit, alone, before }));
      if (parts.includes('demo')) visits.push(await measureDemo(context, { rounds, messages: 10_000 }));
    });
  }
  const figures: Figures = {
    ...(parts.includes('loop') ? { loops: loopsOver(loops) } : {}),
    ...(parts.includes('page') ? { page: pageOver(pages) } : {}),
    ...(parts.includes('demo') ? { demo: demoOver(visits) } : {}),
  };
  return { figures, browser };
}

async function measureAll(options: Options): Promise<Measured> {
  const [load = 0] = loadavg();
  const { launches, rounds } = options;
  const { figures, browser } = await measure(PARTS, { ...options, alone: false });
  return {
    machine: machine(),
    browser,
    load,
    launches,
    rounds,
    date: new Date().toISOString().slice(0, 10),
    ...(figures as Required<Figures>),
  };
}

/** Null when it has not been measured yet. */
function read(name: string): unknown {
  try {
    return JSON.parse(readFileSync(docs(`benchmarks/${name}`), 'utf8'));
  } catch {
    return null;
  }
}
