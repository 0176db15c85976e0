import { describe, expect, test } from 'vitest';
import { editor } from 'rolezero/tools';
import type { Linter } from '../../../src/core/linter.js';
import { lint } from 'rolezero/tools/lint';
import { EditorHarness } from './editor/harness.js';
import { textsOf } from '../files/texts-of.js';

/** Problems from the linter that supports the file; null when none does. */
async function check(path: string, text: string): Promise<string[] | null> {
  for (const linter of lint()) {
    const problems = await linter.check(path, text);
    if (problems !== null)
      return problems.map(({ line, column, message }) => `${line}:${column ?? ''} ${message}`);
  }
  return null;
}

describe('JavaScript and TypeScript', () => {
  test.each([
    [
      'a.js',
      'import a from "a" with { type: "json" };\nexport const b = () => <p class="x">{a ?? 1}</p>;\nawait b;\n',
    ],
    ['a.mjs', 'using a = b;\nlabel: for await (const x of y) { continue label; }\n/[\\p{L}--[a-z]]/v;\n'],
    [
      'a.cjs',
      'if (!a) return;\nwith (a) b;\nmodule.exports = class { static #x = 1; static { this.#x; } @d m() {} };',
    ],
    [
      'a.ts',
      'export { notYet };\nabstract class A<T extends object> { constructor(@Inject() private readonly a: T) {} }\nconst b = <T,>(x: T) => x satisfies T;\nenum E { A = 1 }\nlet c = a as const, d = <any>a;\n',
    ],
    ['a.tsx', 'export const A = <T,>({ a }: { a: T }) => <B<T> a={a!}>{...a as any}</B>;'],
    ['a.d.ts', 'declare module "a" { export function f(a?: number): void; }\n'],
    ['a.js', ''],
  ])('%s: %j is valid', async (path, text) => {
    expect(await check(`/${path}`, text)).toEqual([]);
  });

  test.each([
    ['a.js', 'const a = {\n  b: 1\n  c: 2\n};', ['3:3 Unexpected token, expected ","']],
    ['a.js', 'function f() {\n', ['2:1 Unexpected token']],
    ['a.jsx', '<p>\n  <b>\n</p>', ['3:5 Unexpected token']],
    [
      'a.mjs',
      'const a = 1;\nlet b = 2;\nlet a = 3;\nlet b = 4;',
      ["3:5 Identifier 'a' has already been declared.", "4:5 Identifier 'b' has already been declared."],
    ],
    ['a.ts', 'let a: = 1;', ['1:8 Unexpected token']],
    ['a.ts', 'const a = "b\n', ['1:11 Unterminated string constant.']],
  ])('%s: %j is invalid', async (path, text, problems) => {
    expect(await check(`/${path}`, text)).toEqual(problems);
  });
});

describe('CSS', () => {
  test.each([
    ':root { --a: {b: c}; --d: }\n@layer x, y;\n@media (400px <= width <= 700px) { a { &:hover { b: c } } }',
    '@import url("x") layer(a);\na:is(b, c)::before { inset: 0; color: rgb(0 0 0 / 50%); width: calc(1px * (2 + 3)) !important }',
    '@keyframes k { from { a: b } 50% { c: d } }\n@font-face { src: url(font.woff2) format("woff2") }\n@supports (a: b) {}',
  ])('%j is valid', async (text) => {
    expect(await check('/a.css', text)).toEqual([]);
  });

  test.each([
    ['a {\n  color: red', ['2:13 the text ends too early: something before is not closed']],
    ['a { b: c; }\n}', ['2:1 unexpected "}"']],
    [
      '@media (x { a { b: c } }',
      ['1:11 something is missing before "{"', '1:22 something is missing before "}"'],
    ],
  ])('%j is invalid', async (text, problems) => {
    expect(await check('/a.css', text)).toEqual(problems);
  });
});

describe('HTML', () => {
  test.each([
    '<!doctype html><title>a</title><p>a<p>b<ul><li>c<li>d</ul><table><tr><td>1<td>2</table><br><input disabled>&amp; & <',
    '<script>if (a < b) c("</p>");</script>\n<script type="module">import "a";</script>\n<script type="text/template"><% x %></script>',
    '<script type="importmap">{"imports": {}}</script><style>a { b: c }</style><svg><path d="M0"/></svg></p>',
  ])('%j is valid', async (text) => {
    expect(await check('/a.html', text)).toEqual([]);
  });

  test.each([
    ['<div>\n<span>\n</div>', ['3:1 something is missing before "</div>"']],
    ['<div></div>\n</div>', ['2:1 "</div>" closes nothing that is open']],
    ['<p\n', ['1:4 the text ends too early: something before is not closed']],
    ['<p>a</p>\n<script>let a = ;\nlet b = (;</script>', ['2:17 Unexpected token']],
    ['<script\ntype="application/json">[</script>', ["2:26 not JSON: expected a value or ']'"]],
    ['<script type="application/ld+json">\n[1,]</script>', ['2:4 not JSON: expected a value']],
    ['<style>\na { b: c; } }\n</style>', ['2:13 unexpected "}"']],
  ])('%j is reported', async (text, problems) => {
    expect(await check('/a.html', text)).toEqual(problems);
  });
});

describe('YAML and Markdown', () => {
  test.each([
    ['a.yml', 'a: &x [1, 2]\nb: *x\n---\nc: |\n  text\n   more\n'],
    ['a.yaml', ''],
    ['a.md', '# No front matter\n---\na: [\n---\n'],
    ['a.md', '---\ntitle: "A"\ntags: [b, c]\n---\n\n{{ [ :\n'],
    ['a.md', '---\nonly a line: [\n'],
  ])('%s: %j is valid', async (path, text) => {
    expect(await check(`/${path}`, text)).toEqual([]);
  });

  test.each([
    [
      'a.yaml',
      'a: 1\n  b: 2\n',
      [
        '1:4 Nested mappings are not allowed in compact mappings',
        '1:4 Implicit keys need to be on a single line',
      ],
    ],
    ['a.yml', 'a: 1\na: 2\n', ['2:1 Map keys must be unique']],
    [
      'a.md',
      '---\ntitle: a\ntags: [b\n---\ntext',
      ['4:1 Flow sequence in block collection must be sufficiently indented and end with a ]'],
    ],
  ])('%s: %j is invalid', async (path, text, problems) => {
    expect(await check(`/${path}`, text)).toEqual(problems);
  });

  test('rejects alias bombs', async () => {
    const bomb = Array.from(
      { length: 30 },
      (_, i) => `a${i}: &a${i} [${i === 0 ? 'x' : `*a${i - 1}, *a${i - 1}`}]`,
    ).join('\n');
    expect(await check('/a.yml', bomb)).toEqual([]);
  });
});

describe('Python', () => {
  test.each([
    'try:\n    pass\nexcept* ValueError as e:\n    pass\nexcept (A, B):\n    pass\nelse:\n    pass\nfinally:\n    pass\n',
    'with (open("a") as f, open("b") as g):\n    x = f\nwith (\n    a as b,\n    c,\n):\n    pass\n',
    'match x:\n    case {"a": 1, **rest} if rest:\n        pass\n    case [1, *_] | (2, 3):\n        pass\n    case Point(x=0):\n        pass\n',
    'if (n := len(a)) > 1:\n    print(n, file=f)\nmatch = case = type = _ = 1\nprint(match)\n',
    'f"{a!r:>{w}} {b=}"\nf"{x["a"]}"\na = rb"\\d" R\'\'\'x\ny\'\'\'\n',
    'def f[T: int](a: T, /, b: int = 1, *, c) -> list[T]:\n    return 1, *a\ntype X[T] = list[T]\nclass A[T](B, metaclass=M): ...\n',
    'async def f():\n    async with a as b, c:\n        pass\n    async for x in y:\n        yield await x\n    return [i async for i in z]\n',
    '@a.b(c)[0]\n@(lambda f: f)\ndef g(): pass\n',
    'for x in *a, *b:\n    pass\na[*b] = a[1:2, ..., ::3]\n',
    'a @= b\nx = not a in b\n{k: v for k, v in a if v}\na = 1 + \\\n    2\nif a: b = 3; c = 4\nelse: pass\n',
    'if a:\r\n    b = 1\r\n    global d\r\n    assert a, "x"\r\n    raise X from e',
    '',
  ])('%j has valid syntax', async (text) => {
    const problems = await check('/a.py', text);
    expect(problems?.filter((problem) => !problem.includes('undefined name'))).toEqual([]);
  });

  test.each([
    ['import os\nprint(ox.path)\n', ["2:7 undefined name 'ox'"]],
    [
      'def f(a, *b, c=d, **e) -> int:\n    return a + b + c + e + g\n',
      ["1:16 undefined name 'd'", "2:28 undefined name 'g'"],
    ],
    [
      'for i, (j, k) in rows:\n    x = y = i\n    z[j] += k\n',
      ["1:18 undefined name 'rows'", "3:5 undefined name 'z'"],
    ],
    [
      'sum(i for i in a if i)\n[b for c, d in e]\n',
      ["1:16 undefined name 'a'", "2:2 undefined name 'b'", "2:16 undefined name 'e'"],
    ],
    [
      'f"{a!r:>{w}}"\nprint(1, file=out)\n@deco\nclass A(B, metaclass=M): pass\n',
      [
        "1:4 undefined name 'a'",
        "1:10 undefined name 'w'",
        "2:15 undefined name 'out'",
        "3:2 undefined name 'deco'",
        "4:9 undefined name 'B'",
        "4:22 undefined name 'M'",
      ],
    ],
    [
      'with open("p") as f, g as h: pass\ntry: pass\nexcept E as e: print(e)\n',
      ["1:22 undefined name 'g'", "3:8 undefined name 'E'"],
    ],
    // Valid: a name that is bound later or in another scope, or in a way that only running the module shows.
    ['def f():\n    return later(x)\ndef later(x): return __file__, _("a"), super\n', []],
    ['from a import *\nb\n', []],
    ['try:\n    unicode\nexcept NameError:\n    unicode = str\n', []],
    [
      'import a.b as c, d\nglobal g\nprint(c, d, g, (n := 1), n, lambda u, v=c: u(v))\nmatch c:\n    case d.P(x=0, y=yy) as q: print(yy, q)\n',
      [],
    ],
    ['a = 1 +\nb\nc = = d\n', ['1:8 invalid syntax', '3:5 invalid syntax']],
  ])('%j has the names %j', async (text, problems) => {
    expect(await check('/a.py', text)).toEqual(problems);
  });

  test.each([
    ['x = = 1\n', ['1:5 invalid syntax']],
    ['a = 1\nreturn return\n', ['2:8 invalid syntax']],
    ['for in x:\n    pass\n', ['1:5 invalid syntax', '2:5 invalid syntax']],
    ['import\n', ['1:7 invalid syntax']],
    ['f(a,,b)\n', ['1:5 invalid syntax']],
    ['a = 1 +\n', ['1:8 invalid syntax']],
    ['if a && b:\n    pass\n', ['1:7 invalid syntax']],
    ['class = 1\n', ["1: expected ':'"]],
    ['if a\n    b\n', ["1: expected ':'", '2: unexpected indent']],
    ['def f(:\n    pass\n', ["1:6 '(' was never closed"]],
  ])('%j is invalid', async (text, problems) => {
    expect(await check('/a.py', text)).toEqual(problems);
  });

  test('an edit is rejected only for new problems', async () => {
    const files = { '/old.py': 'x = = 1\nif a:\n    pass\n', '/a.py': 'a = 1\n' };
    const linted = await EditorHarness.over(files, { linters: lint() });
    expect((await linted.refusal('append_file', { path: '/a.py', content: 'b = 1 +' })).message).toContain(
      '/a.py:2:8: invalid syntax',
    );
    expect(await linted.run('append_file', { path: '/old.py', content: 'b = 1' })).toContain('[File updated');
    expect(linted.text('/old.py')).toBe('x = = 1\nif a:\n    pass\nb = 1\n');
  });
});

test('skip unknown languages', async () => {
  for (const path of ['/a.txt', '/a.rb', '/a.json', '/a.scss', '/js', '/a.vue'])
    expect(await check(path, '(((')).toBeNull();
});

test('reports at most fifty problems per file, and long texts cause no problem', async () => {
  expect((await check('/a.css', '} '.repeat(100_000)))?.length).toBe(50);
  expect((await check('/a.html', '</i>'.repeat(50_000)))?.length).toBe(50);
});

test('run before the built-in checks, which handle the rest', async () => {
  const files = { '/a.ts': 'let a = 1;\n', '/a.py': 'a = 1\n', '/a.html': '<p>\n' };
  const linted = await EditorHarness.over(files, { linters: lint() });
  expect((await linted.refusal('append_file', { path: '/a.ts', content: 'let b = (;' })).message).toContain(
    'ERRORS:\n/a.ts:2:10: Unexpected token\n',
  );
  expect((await linted.refusal('append_file', { path: '/a.py', content: 'b = (' })).message).toContain(
    "ERRORS:\n/a.py:2:5: '(' was never closed\n",
  );
  expect((await linted.refusal('append_file', { path: '/a.html', content: '<b>\n</p>' })).message).toContain(
    '/a.html:3:1: something is missing before "</p>"',
  );
  expect(textsOf(linted.files)).toEqual(files);
  const linters: readonly Linter[] = lint();
  expect(editor({ linters }).length).toBe(editor().length);
});
