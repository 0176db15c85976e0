/** Command lines over 5,000 files and a large one: in the terminal, and in the interpreter alone. */
import { Bash } from 'just-bash/browser';
import { VirtualFiles } from '../../../src/files/virtual-files.js';
import { smallBuffer } from '../../../src/tools/terminal/encoding.js';
import { ShellThreads } from '../../../src/tools/terminal/shell-threads.js';
import { terminalTools } from '../../../src/tools/terminal/terminal.js';

export interface ShellOrder {
  line: string;
  /** What it must print; another output is an error. */
  prints: string;
  /** In the interpreter alone, with its own files. */
  isAlone: boolean;
}

const FILES = 5_000;
const FILE_LINES = 200;
const LARGE_LINES = 100_000;
const LINE = 'a line of a source file, of which there are many in here\n';
/** Longer than any command takes in an earlier version. */
const LIMIT = 300_000;

Object.assign(globalThis, { Buffer: smallBuffer }); // as in the worker of the terminal

const contents = new Map<string, string>();
for (let number = 0; number < FILES; number++)
  contents.set(
    `/src/${number % 50}/${number}.ts`,
    `${LINE.repeat(FILE_LINES)}${number % 50 === 0 ? 'needle\n' : ''}`,
  );
contents.set('/large.txt', `${LINE.repeat(LARGE_LINES)}needle\n`);

const workspace = new VirtualFiles({ now: () => 0 });
const [run] = terminalTools(new ShellThreads(() => new Worker('/shell-thread.js', { type: 'module' })), {
  timeoutMs: LIMIT,
});
const alone = new Bash({
  files: Object.fromEntries(contents),
  executionLimits: { maxExecutionTimeMs: LIMIT },
});
workspace.writeAll([...contents].map(([path, content]) => ({ path, content })));

const scope = globalThis as unknown as Pick<Worker, 'postMessage' | 'addEventListener'>;
scope.addEventListener('message', ({ data }: MessageEvent<ShellOrder>) => {
  timed(data).then(
    (value) => scope.postMessage({ value }),
    (error: unknown) => scope.postMessage({ error: String(error) }),
  );
});

async function timed({ line, prints, isAlone }: ShellOrder): Promise<number> {
  const from = performance.now();
  const printed = isAlone ? await inInterpreter(line) : await inTerminal(line);
  const ms = performance.now() - from;
  if (!printed.includes(prints)) throw new Error(`${line} printed ${printed.slice(0, 500)}`);
  return ms;
}

async function inInterpreter(line: string): Promise<string> {
  const { stdout, stderr } = await alone.exec(line);
  return stdout + stderr;
}

async function inTerminal(cmd: string): Promise<string> {
  const stage = workspace.stage();
  const result = await run?.run(
    { cmd, daemon: false },
    {
      signal: new AbortController().signal,
      files: stage,
      session: { name: 's', role: 'r' },
      callId: 'a.1.0',
      state: {},
      output: () => {},
      pageChanged: () => {},
    },
  );
  return String(result);
}
