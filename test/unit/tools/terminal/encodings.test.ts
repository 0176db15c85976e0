import { describe, expect, it } from 'vitest';
import { VirtualFiles } from '../../../../src/files/virtual-files.js';
import { runBash } from '../../../../src/tools/terminal/bash.js';

const memory = { cwd: '/', env: {}, functions: {} };
const noPrograms = { commands: [], run: () => Promise.reject(new Error('There are no programs.')) };
/** "café" and "âne" in Latin-1, which is not UTF-8. */
const LATIN_1 = Uint8Array.of(0x63, 0x61, 0x66, 0xe9, 0x0a, 0xe2, 0x6e, 0x65, 0x0a);

/** Runs a command line beside the file /in. Returns what it said, and the bytes of /out, one character each. */
async function run(cmd: string): Promise<{ stderr: string; bytes: string | null }> {
  const files = new VirtualFiles({ now: () => 0 }).stage();
  await files.write('/in', LATIN_1);
  const request = { cmd, memory, timeoutMs: 10_000, maxOutput: 1000, network: null };
  const { stderr } = await runBash(request, files, noPrograms);
  const bytes = (await files.stat('/out')) === null ? null : await files.readBytes('/out');
  expect(await files.readBytes('/in'), 'the bytes of /in').toEqual(LATIN_1);
  return { stderr, bytes: bytes && Buffer.from(bytes).toString('latin1') };
}

describe('bytes that are not UTF-8', () => {
  it.each([
    ['cat in > out', 'café\nâne\n'],
    ['cp in out', 'café\nâne\n'],
    ['cat in | tee out > /dev/null', 'café\nâne\n'],
    ['head -n 1 in > out; tail -n 1 in >> out', 'café\nâne\n'],
    ['gzip -c in | gunzip > out', 'café\nâne\n'],
  ])('stay as they are: %s', async (cmd, bytes) => {
    expect(await run(cmd)).toEqual({ stderr: '', bytes });
  });

  it.each([
    "cp in out && sed -i 's/caf/CAF/' out",
    "sed 's/f/F/' in > out",
    "awk '{print NR, $0}' in > out",
    'grep ne in > out',
    'sort -r in > out',
    'tr a-z A-Z < in > out',
    'uniq in > out',
    'cut -c4 in > out',
    'rev in > out',
    'tac in > out',
    'nl in > out',
    'paste -sd, in > out',
    'cat in | sort > out',
    'x=$(cat in); echo "$x" > out',
    'while read -r line; do echo "$line"; done < in > out',
    'jq -R . in > out',
    'xargs echo < in > out',
    'echo a > out; sort in >> out',
  ])('stay as they are, or the command says that it would replace them: %s', async (cmd) => {
    const { stderr, bytes } = await run(cmd);
    const isKept = bytes !== null && /[éâ]/u.test(bytes) && !/Ã|ï¿½/u.test(bytes);
    if (!isKept) expect(stderr).toContain('is not UTF-8 text, and its bytes would be replaced');
    expect(bytes ?? '').not.toMatch(/Ã|ï¿½/u);
  });

  it('are no reason to refuse plain text, bytes, and other command lines', async () => {
    expect(await run('wc -c < in > out')).toEqual({ stderr: '', bytes: '9\n' });
    expect(await run('cat in > /dev/null; echo "plain" > out')).toEqual({ stderr: '', bytes: 'plain\n' });
    expect(await run('echo é > out')).toEqual({ stderr: '', bytes: 'Ã©\n' });
  });
});
