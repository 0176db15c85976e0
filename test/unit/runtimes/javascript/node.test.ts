import { describe, expect, it } from 'vitest';
import { javascript } from '../../../../src/runtimes/javascript/node.js';
import { inTerminal, printedBy, run, write } from '../harness.js';

const node = (commandLine: string, files: Record<string, string> = {}) =>
  printedBy(javascript(), commandLine, files);
/** Runs a file. */
const program = (content: string, name = '/program.js') => node(`node ${name}`, { [name]: content });

describe('node', () => {
  it('runs code of the command line and prints as Node does', async () => {
    expect(
      await node(`node -e "console.log(1 + 1, { a: [1, new Map([[1, 'x']])] }, [undefined, () => 1])"`),
    ).toBe("2 { a: [ 1, Map(1) { 1 => 'x' } ] } [ undefined, [Function (anonymous)] ]\n");
    expect(await node(`node -p "[1, 2].map((x) => x * 2)"`)).toBe('[ 2, 4 ]\n');
    expect(await node('echo "console.log(process.argv.length)" | node -')).toBe('1\n');
  });

  it('passes arguments, input, variables and the directory', async () => {
    const line = 'mkdir /d; cd /d; export A=1; printf "one\\ntwo\\n" | node ../p.mjs x "y z"';
    const source = `let input = ''; for await (const part of process.stdin) input += part;
      console.log(process.argv, process.cwd(), process.env.A, JSON.stringify(input));`;
    expect(await node(line, { '/p.mjs': source })).toBe(
      `[ '/usr/bin/node', '/p.mjs', 'x', 'y z' ] /d 1 "one\\ntwo\\n"\n`,
    );
  });

  it('ends with the exit code of the program', async () => {
    const ends = [
      'process.exit(3); console.log(1)',
      'process.exitCode = 4',
      "throw new Error('x')",
      'await 0; nope',
    ];
    const lines = ends.map((code) => `node -e "${code}" 2> /dev/null; echo $?`);
    expect(await node(lines.join('; '))).toBe('3\n4\n1\n1\n');
  });

  it('runs exit handlers, timers and rejections as Node does', async () => {
    const printed = await program(`
      process.on('exit', (code) => console.log('exit', code));
      setTimeout(() => console.log('late'), 20);
      setTimeout(() => { clearInterval(every); }, 15);
      const every = setInterval(() => {}, 5);
      queueMicrotask(() => console.log('soon'));
      console.log('first');
      setTimeout(() => {}, 1e6).unref();
    `);
    expect(printed).toBe('first\nsoon\nlate\nexit 0\n');
    expect(await program("Promise.reject(new Error('lost'));")).toMatch(
      /^Error: lost\n {4}at \/program\.js:1:\d+\n\[exit code\]: 1$/u,
    );
    expect(
      await program(
        "process.on('unhandledRejection', (e) => console.log(e.message)); Promise.reject(new Error('x'));",
      ),
    ).toBe('x\n');
  });

  it('shows where an error was thrown', async () => {
    expect(await program("function deep() {\n  throw new TypeError('bad');\n}\ndeep();")).toMatch(
      /^TypeError: bad\n {4}at deep \(\/program\.js:2:\d+\)\n {4}at \/program\.js:4:1\n\[exit code\]: 1$/u,
    );
    expect(await program('let x = ;')).toContain('SyntaxError: unexpected token in expression');
    expect(await node('node /none.js')).toBe(
      "Error: Cannot find module '/none.js' imported from /\n[exit code]: 1",
    );
  });

  it('refuses unknown options', async () => {
    expect(await node('node --nope')).toBe('node: bad option: --nope\n[exit code]: 9');
    expect(await node('node --watch a.js')).toBe('node: --watch is not available here.\n[exit code]: 9');
  });
});

describe('modules', () => {
  it('import each other across kinds', async () => {
    const files = {
      '/lib/common.js': 'exports.double = (x) => x * 2; exports.default = 1; exports.class = 5;',
      '/lib/module.mjs':
        'import common, { double } from "./common.js"; export const four = double(2); export { common };',
      '/data.json': '{ "list": [1, 2] }',
      '/types.ts': 'export enum Color { Red = 1 } export type T = number; export const typed: T = 3;',
      '/main.mjs': `
        import { four, common } from './lib/module.mjs';
        import { Color, typed } from './types.ts';
        import data from './data.json' with { type: 'json' };
        import { createRequire } from 'node:module';
        const require = createRequire(import.meta.url);
        console.log(four, common === require('./lib/common'), Color.Red, typed, data);
        console.log(require('./lib/module.mjs').four, Object.keys(await import('./lib/common.js')).sort());
        console.log(import.meta.url, import.meta.filename, import.meta.dirname);`,
    };
    expect(await node('node main.mjs', files)).toBe(
      "4 true 1 3 { list: [ 1, 2 ] }\n4 [ 'class', 'default', 'double' ]\nfile:///main.mjs /main.mjs /\n",
    );
  });

  it('are ES modules by their package, their name or their text', async () => {
    const files = {
      '/package.json': '{ "type": "module" }',
      '/a.js': 'console.log(typeof require, typeof import.meta.url);',
      '/b.cjs': 'console.log(typeof require, typeof module);',
      '/c/package.json': '{}',
      '/c/c.js': 'export {}; console.log(typeof require);',
      '/c/e.js': 'await 0; console.log(typeof require);',
      '/c/d.ts': 'const x: string = typeof require; console.log(x);',
    };
    expect(await node('node a.js; node b.cjs; node c/c.js; node c/e.js; node c/d.ts', files)).toBe(
      'undefined string\nfunction object\nundefined\nundefined\nfunction\n',
    );
  });

  it('are found in node_modules, with exports, conditions and patterns', async () => {
    const files = {
      '/node_modules/p/package.json': `{ "exports": { ".": { "import": "./m.mjs", "require": "./c.cjs" }, "./f/*": "./files/*.js" } }`,
      '/node_modules/p/m.mjs': 'export default "module"',
      '/node_modules/p/c.cjs': 'module.exports = "common"',
      '/node_modules/p/files/x.js': 'module.exports = "file"',
      '/node_modules/@s/q/index.js': 'module.exports = "scoped"',
      '/src/main.mjs': `import p from 'p'; import x from 'p/f/x'; import { createRequire } from 'module';
        const require = createRequire(import.meta.url); console.log(p, require('p'), x, require('@s/q'));`,
    };
    expect(await node('node src/main.mjs', files)).toBe('module common file scoped\n');
  });

  it('that are missing are named with what can be done', async () => {
    expect(await node(`node -e "require('lodash')"`)).toContain(
      "Cannot find package 'lodash' imported from /[eval]. No packages are installed, and none can be installed. Use the built-in modules",
    );
    for (const [at, code] of [
      "import lodash from 'lodash'",
      "import { map, default as other } from 'lodash'",
      "import all, {\n  map as each,\n} from 'lodash'",
      "import * as all from 'lodash'",
      "export { map } from 'lodash'",
      "export * from 'lodash'",
    ].entries())
      expect(await node('node src/a.mjs', { '/src/a.mjs': code }), String(at)).toMatch(
        /^Error: Cannot find package 'lodash' imported from \/src\/a\.mjs\. No packages are installed.*\n(?: +at .{1,40}\n)* *\{?[^]{0,50}\[exit code\]: 1$/u,
      );
    expect(await node(`node -e "require('node:http')"`)).toContain(
      'The built-in module node:http does not exist here: programs here have no network.',
    );
    expect(await node(`node --input-type=module -e "import 'https://example.org/x.js'"`)).toContain(
      "Cannot import 'https://example.org/x.js': programs here have no network.",
    );
    expect(await node(`node -e "try { require('./x') } catch (e) { console.log(e.code) }"`)).toBe(
      'ERR_MODULE_NOT_FOUND\n',
    );
  });

  it('may be cyclic', async () => {
    const files = {
      '/a.js': 'exports.early = 1; const b = require("./b"); console.log(b.seen); exports.late = 2;',
      '/b.js': 'exports.seen = require("./a").early;',
    };
    expect(await node('node a.js', files)).toBe('1\n');
  });
});

describe('TypeScript', () => {
  it('runs without its types, with the lines of the file', async () => {
    const source = `interface A<T> { x: T }\nclass B { constructor(private readonly y: number) {} get z() { return this.y; } }
const a = { x: 1 } satisfies A<number>;\nconsole.log(a!.x as number, new B(2).z);\nthrow new Error('line 5');`;
    expect(await program(source, '/p.ts')).toMatch(/^1 2\nError: line 5\n {4}at \/p\.ts:5:\d+/u);
  });

  it('that cannot be read names the place', async () => {
    expect(await program('const x: = 1;', '/p.ts')).toMatch(/SyntaxError: .*\/p\.ts.*\(1:10\)/u);
  });
});

describe('built-in modules', () => {
  it('read and write files of the session', async () => {
    const source = `
      import fs from 'node:fs'; import { readFile, writeFile } from 'node:fs/promises'; import path from 'node:path';
      fs.mkdirSync('out/deep', { recursive: true });
      fs.writeFileSync(path.join('out', 'a.txt'), 'é\\n'); fs.appendFileSync('out/a.txt', Buffer.from([66, 10]));
      await writeFile('out/deep/b.json', JSON.stringify({ b: 1 }));
      fs.copyFileSync('out/a.txt', 'c.txt'); fs.renameSync('c.txt', 'd.txt'); fs.rmSync('old', { recursive: true });
      console.log(fs.readdirSync('out', { recursive: true }), fs.existsSync('c.txt'), fs.statSync('d.txt').size, (await readFile('d.txt', 'utf8')).length);
      try { fs.readFileSync('none') } catch (e) { console.log(e.code, e.message) }
      fs.readFile('d.txt', 'utf8', (error, text) => console.log(error, JSON.stringify(text)));`;
    const steps = [write('/old/x', 'x'), write('/p.mjs', source), run('node p.mjs; ls; cat out/a.txt')];
    const { printed, files } = await inTerminal(javascript(), steps);
    expect(printed[0]).toBe(
      "[ 'a.txt', 'deep', 'deep/b.json' ] false 5 4\nENOENT ENOENT: no such file or directory, open '/none'\n" +
        'null "é\\nB\\n"\nd.txt\nout\np.mjs\né\nB\n',
    );
    expect(Object.keys(files).sort()).toEqual(['/d.txt', '/out/a.txt', '/out/deep/b.json', '/p.mjs']);
  });

  it('have the common functions', async () => {
    const source = `
      const { EventEmitter } = require('events'); const util = require('util'); const assert = require('assert');
      const e = new EventEmitter(); e.once('x', (v) => console.log('event', v)); e.emit('x', 1); e.emit('x', 2);
      console.log(util.format('%s %d %j', 'a', 1, { b: 2 }), util.isDeepStrictEqual({ a: [1] }, { a: [1] }));
      assert.throws(() => { throw new TypeError('x') }, TypeError);
      const u = new URL('../c?x=1#h', 'https://a.b/d/e'); u.searchParams.append('y', 'é'); console.log(u.href, [...u.searchParams]);
      console.log(Buffer.from('hé').toString('hex'), Buffer.concat([Buffer.from([1]), Buffer.alloc(1)]).equals(Buffer.from([1, 0])));
      console.log(require('crypto').createHash('sha256').update('x').digest('hex').slice(0, 8), require('os').EOL === '\\n');
      console.log(new TextDecoder().decode(new TextEncoder().encode('é')), structuredClone(new Set([1])));
      util.promisify((v, done) => done(null, v * 2))(4).then(console.log);
      require('readline').createInterface({ input: process.stdin }).on('line', (l) => console.log('line', l));`;
    expect(await node('printf "a\\nb\\n" | node p.js', { '/p.js': source })).toBe(
      "event 1\na 1 {\"b\":2} true\nhttps://a.b/c?x=1&y=%C3%A9#h [ [ 'x', '1' ], [ 'y', 'é' ] ]\n68c3a9 true\n2d711642 true\né Set(1) { 1 }\n8\nline a\nline b\n",
    );
  });

  it('format numbers, dates and texts for a locale', async () => {
    const source = `console.log((1234567.891).toLocaleString(), new Intl.NumberFormat('de-DE').format(1.5), (0.5).toLocaleString('en', { style: 'percent' }));
      console.log(new Date(0).toLocaleDateString('en-US', { timeZone: 'UTC' }), ['b', 'a', 'C'].sort((a, b) => a.localeCompare(b)));`;
    expect(await program(source)).toBe("1,234,567.891 1,5 50%\n1/1/1970 [ 'a', 'b', 'C' ]\n");
  });

  it('print tables and groups', async () => {
    expect(
      await program(
        "console.group('g'); console.log('in'); console.groupEnd(); console.table([{ a: 1 }, { a: 'x' }]); console.error('e')",
      ),
    ).toBe(
      "g\n  in\n┌─────────┬─────┐\n│ (index) │ a   │\n├─────────┼─────┤\n│ 0       │ 1   │\n│ 1       │ 'x' │\n└─────────┴─────┘\ne\n",
    );
  });
});
