import { openai, readLimits } from '../providers/openai/index.js';
import { browser } from '../tools/browser/index.js';
import { editor } from '../tools/index.js';
import { ShellThreads } from '../tools/terminal/shell-threads.js';
import { terminalTools } from '../tools/terminal/terminal.js';
import { RoleZero, serve } from '../worker/index.js';
import { readSpawnConfig } from './read-config.js';

/**
 * The ready-made worker: one RoleZero with the Editor, the Browser where the page shows its pages, and the Terminal where the page says
 * where the shell is, on a model behind the OpenAI protocol or on one of the page's own.
 */
serve(async (config, page) => {
  const { model, role, browser: hasBrowser = false, shell } = readSpawnConfig(config);
  return new RoleZero({
    ...role,
    model: 'provider' in model ? page.model(model.name) : openai(await readLimits(model)),
    tools: [
      ...editor(),
      ...(hasBrowser ? browser() : []),
      ...(shell === undefined ? [] : terminalTools(shellsFrom(shell), {})),
    ],
  });
});

function shellsFrom(address: string): ShellThreads {
  const shells = new ShellThreads(
    () => new Worker(address, { type: 'module' }),
    "A Content-Security-Policy must allow worker-src blob:, or give spawn({ terminal: { workerUrl } }) the address of the package's dist/tools/terminal/shell-worker.js on your site.",
  );
  if (!address.startsWith('blob:')) shells.prefetch(); // a blob needs no network
  return shells;
}
