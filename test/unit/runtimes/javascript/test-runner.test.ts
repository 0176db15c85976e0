import { expect, it } from 'vitest';
import { javascript } from '../../../../src/runtimes/javascript/node.js';
import { printedBy } from '../harness.js';

const withoutTimes = (text: string): string => text.replaceAll(/\(\d+\.\d+ms\)/gu, '(ms)');
const test = async (files: Record<string, string>, line = 'node --test'): Promise<string> =>
  withoutTimes(await printedBy(javascript(), line, files));

const HEAD =
  "import test, { describe, it, beforeEach, after, mock } from 'node:test'; import assert from 'node:assert/strict';\n";

it('reports every test, the totals, and where a test failed and why', async () => {
  const printed = await test({
    '/sum.test.mjs': `${HEAD}test('adds', () => assert.equal(1 + 1, 2));
test('fails', () => {
  assert.equal(1, 2);
});
describe('group', () => {
  let count = 0;
  beforeEach(() => { count += 1; });
  after(() => console.log('after', count));
  it('waits', async () => { await new Promise((resolve) => setTimeout(resolve, 5)); });
  it.skip('is skipped');
  it('is to do');
});
test('outer', async (t) => { await t.test('inner', () => {}); t.diagnostic('note'); });
test('callback', (t, done) => setTimeout(done, 1));
test('mock', () => { const f = mock.fn((x) => x + 1); assert.equal(f(1), 2); assert.deepEqual(f.mock.calls[0].arguments, [1]); });`,
  });
  expect(printed).toBe(`✔ adds (ms)
✖ fails (ms)
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
${'  '}
  1 !== 2
${'  '}
      at /sum.test.mjs:4:10
▶ group
  ✔ waits (ms)
  ﹣ is skipped (ms) # SKIP
  ✔ is to do (ms) # TODO
after 2
✔ group (ms)
  ✔ inner (ms)
ℹ note
✔ outer (ms)
✔ callback (ms)
✔ mock (ms)
ℹ tests 9
ℹ suites 1
ℹ pass 6
ℹ fail 1
ℹ skipped 1
ℹ todo 1

✖ failing tests:

test at /sum.test.mjs:3:1
✖ fails
  AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:
${'  '}
  1 !== 2
${'  '}
      at /sum.test.mjs:4:10
[exit code]: 1`);
});

it('finds test files by their names and runs each on its own', async () => {
  const files = {
    '/a.test.js': "require('node:test')('a', () => { globalThis.x = 1; });",
    '/test/b.ts':
      "import { test } from 'node:test'; test('b', () => { if ('x' in globalThis) throw new Error('shared'); });",
    '/not.js': 'throw new Error("not a test")',
  };
  expect(await test(files)).toBe(
    '/a.test.js\n✔ a (ms)\n/test/b.ts\n✔ b (ms)\nℹ tests 2\nℹ suites 0\nℹ pass 2\nℹ fail 0\nℹ skipped 0\nℹ todo 0\n',
  );
  expect(await test(files, 'node --test "test/**/*.ts"')).toContain('ℹ tests 1');
  expect(await test({}, 'node --test')).toBe(
    'node: There are no test files. Name them *.test.js, or put them into a folder test.\n[exit code]: 9',
  );
});

it('counts a file that fails to load as failed', async () => {
  const printed = await test({ '/a.test.js': "require('./none')" });
  expect(printed).toContain('ℹ fail 1');
  expect(printed).toContain("Cannot find module './none'");
  expect(printed).toMatch(/\[exit code\]: 1$/u);
});

it('fails a file that is run without --test, too', async () => {
  const printed = await test(
    { '/a.mjs': `${HEAD}test('x', () => assert.fail('no'));` },
    'node a.mjs; echo $?',
  );
  expect(printed).toContain('✖ x (ms)');
  expect(printed).toMatch(/\n1\n$/u);
});
