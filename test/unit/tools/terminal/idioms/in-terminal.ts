import { VirtualFiles } from '../../../../../src/files/virtual-files.js';
import { runBash } from '../../../../../src/tools/terminal/bash.js';
import { FILES } from './files.js';
import { changes, type Outcome } from './idioms.js';

const PROJECT = '/project';
const memory = { cwd: PROJECT, env: {}, functions: {} };
const noPrograms = { commands: [], run: () => Promise.reject(new Error('There are no programs.')) };

/** Runs an idiom in the terminal's shell. */
export async function inTerminal(idiom: string): Promise<Outcome & { stderr: string }> {
  const files = new VirtualFiles({ now: () => Date.now() }).stage();
  for (const [path, content] of Object.entries(FILES)) await files.write(`${PROJECT}/${path}`, content);
  const request = { cmd: idiom, memory, timeoutMs: 10_000, maxOutput: 100_000, network: null };
  const { stdout, stderr, exitCode } = await runBash(request, files, noPrograms);
  const after: Record<string, string> = {};
  for (const { path, type } of await files.list(PROJECT, { recursive: true }))
    if (type === 'file')
      after[path.slice(PROJECT.length + 1)] = new TextDecoder().decode(await files.readBytes(path));
  return { stdout, stderr, exitCode, files: changes(FILES, after) };
}
