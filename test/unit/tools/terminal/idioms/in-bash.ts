import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { FILES } from './files.js';
import { changes, type Outcome } from './idioms.js';

/** Runs an idiom in the machine's bash, in a directory of its own. The path of the directory reads as `/project` in the result. */
export function inBash(idiom: string): Outcome & { stderr: string } {
  const root = mkdtempSync(join(tmpdir(), 'idiom-'));
  const project = join(root, 'project');
  try {
    for (const [path, content] of Object.entries(FILES)) {
      mkdirSync(dirname(join(project, path)), { recursive: true });
      writeFileSync(join(project, path), content);
    }
    const env = { PATH: process.env['PATH'] ?? '', HOME: '/', LC_ALL: 'C.UTF-8', TZ: 'UTC' };
    const { stdout, stderr, status } = spawnSync('bash', ['-c', idiom], {
      cwd: project,
      env,
      encoding: 'latin1',
      timeout: 10_000,
      input: '',
    });
    const clean = (text: string): string => text.replaceAll(project, '/project');
    return {
      stdout: clean(Buffer.from(stdout, 'latin1').toString()),
      stderr: clean(stderr),
      exitCode: status ?? -1,
      files: changes(FILES, filesBelow(project)),
    };
  } finally {
    rmSync(root, { recursive: true });
  }
}

function filesBelow(root: string): Record<string, string> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const paths = names.filter((name) => statSync(join(root, name), { throwIfNoEntry: false })?.isFile());
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}
