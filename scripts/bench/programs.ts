import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright';
import { format } from 'prettier';
import type { Answer } from '../try/page/bridge.js';
import { servePage } from '../try/page-server.js';
import { PYODIDE } from '../try/pyodide-files.js';
import { browserName, machine, withBrowser } from './browser.js';
import type { ProgramTimes } from './programs-report.js';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** What is measured: a command line, and its goal in ms once its runtime is warm. `setup` runs before it, and loads the runtime. */
const PROGRAMS: readonly { name: string; line: string; goal: number | null; setup?: string }[] = [
  { name: 'JavaScript, a file with two tests', line: 'node --test /sum.test.mjs', goal: 200 },
  { name: 'JavaScript, `console.log`', line: 'node -e "console.log(1)"', goal: null },
  { name: 'Python, `print`', line: 'python -c "print(1)"', goal: 100 },
  {
    name: 'SQLite, a table with 1,000 rows',
    line: 'sqlite3 :memory: ".read /rows.sql" "select count(*) from t"',
    goal: null,
  },
  {
    name: 'git, status of 3 files',
    line: 'git -C /repo status --short',
    goal: null,
    setup: 'git -C /repo init -q && git -C /repo add a.txt b.txt',
  },
];

const FILES = {
  '/sum.test.mjs':
    "import test from 'node:test';\nimport assert from 'node:assert';\ntest('adds', () => assert.equal(1 + 1, 2));\ntest('joins', () => assert.equal(['a', 'b'].join(), 'a,b'));\n",
  '/rows.sql': `create table t(a, b);\n${Array.from({ length: 1_000 }, (_, at) => `insert into t values (${at}, 'row ${at}');`).join('\n')}\n`,
  '/repo/a.txt': 'a\n',
  '/repo/b.txt': 'b\n',
  '/repo/c.txt': 'c\n',
};

/** Milliseconds between two calls: the next interpreter of Python loads in this time. */
const PAUSE = 2_000;

/**
 * Measures programs of the terminal in Chromium, in the production build: `npm run bench:programs -- [--rounds 5] [--write]`. The first call loads the
 * runtime, from this machine. `--write` stores the figures in `docs/benchmarks/programs.json`.
 */
export async function main(args: readonly string[]): Promise<void> {
  const at = args.indexOf('--rounds');
  const rounds = at < 0 ? 5 : Number(args[at + 1]);
  const load = loadavg()[0] ?? 0;
  const server = await servePage();
  try {
    const [browser, rows] = await withBrowser(async (context) => {
      const found: ProgramTimes['rows'] = [];
      for (const { setup, ...program } of PROGRAMS) {
        const page = await context.newPage();
        const { first, warm } = await measure(page, server.url, [setup ?? 'true', program.line], rounds);
        found.push({ ...program, first: setup === undefined ? first : null, warm });
        await page.close();
        console.log(JSON.stringify(found.at(-1)));
      }
      return [await browserName(context), found] as const;
    });
    const times: ProgramTimes = { machine: machine(), browser, load, rounds, rows };
    if (!args.includes('--write')) return;
    const target = path('../../docs/benchmarks/programs.json');
    writeFileSync(target, await format(JSON.stringify(times), { parser: 'json' }));
    console.log(readFileSync(target, 'utf8'));
  } finally {
    await server.close();
  }
}

/** The first call in a new page, after another line, and the median of the next ones, in ms. */
async function measure(
  page: Page,
  url: string,
  [before, line]: readonly [before: string, line: string],
  rounds: number,
): Promise<{ first: number; warm: number }> {
  await page.goto(url);
  await page.waitForFunction(() => window.tryPage !== undefined);
  const setup = {
    ...{ files: FILES, pages: null, python: PYODIDE, maxSteps: 1, memoryWindow: null },
    ...{ replyFormat: null, preset: null, temperature: null, calls: null },
  };
  return page.evaluate(
    async ({ setup, before, line, rounds, pause }) => {
      const { tryPage } = window;
      if (tryPage === undefined) throw new Error('The page has not loaded.');
      const need = <Value>(answer: Answer<Value>): Value => {
        if (!answer.ok) throw new Error(answer.error.message);
        return answer.value;
      };
      const model = {
        kind: 'remote',
        baseURL: 'http://127.0.0.1:9/',
        model: 'none',
        apiKey: undefined,
        contextWindow: 8_192,
      } as const;
      need(await tryPage.open(`bench ${Math.random()}`, model, setup));
      need(await tryPage.shell(before)); // loads the shell
      const times: number[] = [];
      for (let round = 0; round <= rounds; round += 1) {
        const start = performance.now();
        const printed = need(await tryPage.shell(line));
        times.push(performance.now() - start);
        if (printed.includes('[exit code]')) throw new Error(`${line}: ${printed}`);
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
      need(await tryPage.discard());
      const [first = 0, ...next] = times;
      return { first, warm: next.sort((a, b) => a - b)[Math.floor(next.length / 2)] ?? 0 };
    },
    { setup, before, line, rounds, pause: PAUSE },
  );
}
