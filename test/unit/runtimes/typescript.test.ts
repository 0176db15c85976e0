import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { javascript } from '../../../src/runtimes/javascript/node.js';
import { typescript } from '../../../src/runtimes/typescript/node.js';
import { printedBy, run, write } from './harness.js';
import { play } from '../tools/terminal/harness.js';

const lib = dirname(createRequire(import.meta.url).resolve('typescript/lib/typescript.js'));
const tsc = typescript({ address: pathToFileURL(lib).href });

const STRICT = '{ "compilerOptions": { "strict": true } }';

describe('tsc', () => {
  it.each(['--watch', '--init', '-b', '--listFiles'])('says what to do instead of %s', async (option) => {
    expect(await printedBy(tsc, `tsc ${option}`, { '/tsconfig.json': STRICT })).toMatch(
      /^error: --\w+ does not work here\. Run tsc once/u,
    );
  });

  it('explains itself where there is no project', async () => {
    expect(await printedBy(tsc, 'tsc; echo $?')).toMatch(/^Version 6[^]*Usage: tsc --noEmit[^]*\n1\n$/u);
  });

  it('names an address without TypeScript', async () => {
    const wrong = typescript({ address: pathToFileURL(tmpdir()).href });
    expect(await printedBy(wrong, 'tsc --version')).toMatch(
      /TypeScript could not be loaded from file:\/\/.*It must be the address of a folder with typescript\.js/u,
    );
  });

  it('runs as npx tsc and in scripts of package.json, beside node', async () => {
    const { outputs } = await play(
      [
        write('/tsconfig.json', STRICT),
        write('/a.ts', 'export const n: number = "";\n'),
        write('/package.json', '{ "scripts": { "check": "npx tsc --noEmit" } }'),
        run('npm run check'),
      ],
      { runtimes: [javascript(), tsc], timeoutMs: 120_000 },
    );
    expect(outputs[3]).toContain(
      "a.ts(1,14): error TS2322: Type 'string' is not assignable to type 'number'.",
    );
  });
});
