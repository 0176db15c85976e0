import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { typescript } from '../../../src/runtimes/typescript/node.js';
import { play, run, shown, write } from '../tools/terminal/harness.js';

const lib = dirname(createRequire(import.meta.url).resolve('typescript/lib/typescript.js'));
const tsc = typescript({ address: pathToFileURL(lib).href });

/** What TypeScript's own program prints and writes for the same files. */
function original(args: string, files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'tsc-'));
  try {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    const words = args.split(' ').filter((word) => word !== '');
    const ended = spawnSync(process.execPath, [join(lib, 'tsc.js'), ...words], {
      cwd: folder,
      encoding: 'utf8',
    });
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const texts = paths
      .filter((path) => statSync(join(folder, path)).isFile())
      .map((path) => [`/${path}`, readFileSync(join(folder, path), 'utf8')] as const);
    return { printed: ended.stdout, code: ended.status, files: Object.fromEntries(texts.toSorted()) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const STRICT = '{ "compilerOptions": { "strict": true, "skipLibCheck": true } }';
const SUM = 'export const sum = (a: number, b: number): number => a + b;\n';
const WRONG = "import { sum } from './sum.js';\nexport const text: string = sum(1, '2');\n";

describe('tsc prints and writes what TypeScript does', () => {
  it.each<[name: string, args: string, files: Record<string, string>]>([
    ['for a project without mistakes', '--noEmit', { '/tsconfig.json': STRICT, '/sum.ts': SUM }],
    ['for wrong types', '--noEmit', { '/tsconfig.json': STRICT, '/sum.ts': SUM, '/use.ts': WRONG }],
    ['when it writes JavaScript', '', { '/tsconfig.json': STRICT, '/sum.ts': SUM, '/use.ts': WRONG }],
    [
      'with an output folder and declarations',
      '--outDir out/js --declaration',
      { '/tsconfig.json': STRICT, '/src/sum.ts': SUM },
    ],
    [
      'with patterns of files',
      '--noEmit --skipLibCheck',
      {
        '/tsconfig.json': '{ "include": ["src/**/*"], "exclude": ["src/old"] }',
        '/src/a.ts': SUM,
        '/src/deep/b.ts': SUM,
        '/src/old/c.ts': WRONG,
        '/other.ts': WRONG,
      },
    ],
    [
      'for named files',
      '--noEmit --strict --skipLibCheck a.ts',
      { '/a.ts': 'export const n: number = null;\n' },
    ],
    ['for named files beside a project', '--noEmit a.ts', { '/tsconfig.json': STRICT, '/a.ts': SUM }],
    ['for a missing file', '--noEmit b.ts', {}],
    ['for a project elsewhere', '-p app', { '/app/tsconfig.json': STRICT, '/app/a.ts': WRONG }],
    [
      'for an inherited configuration',
      '--noEmit --skipLibCheck',
      {
        '/base.json': '{ "compilerOptions": { "strict": true, "noUnusedLocals": true } }',
        '/tsconfig.json': '{ "extends": "./base.json" }',
        '/a.ts': 'const unused = 1;\nexport {};\n',
      },
    ],
    [
      'for libraries of its own',
      '--noEmit',
      {
        '/tsconfig.json': '{ "compilerOptions": { "lib": ["es5"] } }',
        '/a.ts': 'export const m = new Map();\ndocument.title = "";\n',
      },
    ],
    [
      'for a referenced library',
      '--noEmit',
      {
        '/tsconfig.json': '{ "compilerOptions": { "lib": ["es2022"] } }',
        '/a.ts': '/// <reference lib="dom" />\ndocument.title = 1;\n',
      },
    ],
    [
      'for JSX',
      '--noEmit --skipLibCheck',
      {
        '/tsconfig.json': '{ "compilerOptions": { "jsx": "preserve" } }',
        '/a.tsx': 'export const a = <b>text</b>;\n',
      },
    ],
    [
      'for JavaScript with comments',
      '--noEmit --checkJs --allowJs',
      { '/tsconfig.json': STRICT, '/a.js': '/** @type {number} */\nexport const n = "a";\n' },
    ],
    [
      'for a configuration with a mistake',
      '--noEmit',
      { '/tsconfig.json': '{ "compilerOptions": { "strict": tru } }', '/a.ts': SUM },
    ],
    ['for an unknown option', '--noEmt', { '/tsconfig.json': STRICT }],
    ['with a version', '--version', {}],
  ])(
    '%s',
    async (_name, args, files) => {
      const expected = original(args, files);
      const writes = Object.entries(files).map(([path, content]) => write(path, content));
      const { outputs, files: after } = await play([...writes, run(`tsc ${args}; echo "code $?"`)], {
        runtimes: [tsc],
        timeoutMs: 300_000,
      });
      const printed = shown(outputs.at(-1));
      const libraries = /^.*\/typescript\/lib\//gmu;
      expect(printed.replace(libraries, '')).toBe(
        `${expected.printed.replace(libraries, '').replaceAll(/^.*\/tsc-\w+\//gmu, '/')}code ${expected.code}\n`,
      );
      expect(Object.fromEntries(Object.entries(after).toSorted())).toEqual(expected.files);
    },
    60_000,
  );
});
