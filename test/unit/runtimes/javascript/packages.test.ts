import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { javascript } from '../../../../src/runtimes/javascript/node.js';
import { printedBy } from '../harness.js';

const SCRIPT = 'text/javascript';
const FILES: Record<string, [type: string, text: string]> = {
  '/mean/index.js': [
    SCRIPT,
    "import { sum } from './parts/sum.js'; import facts from '/mean/facts.json' with { type: 'json' }; export { version } from 'tools';\nexport const mean = (...all) => sum(all) / all.length; export const { unit } = facts;",
  ],
  '/mean/parts/sum.js': [
    SCRIPT,
    "import { strict } from 'node:assert'; export const sum = (all) => { strict.ok(all.length > 0); return all.reduce((a, b) => a + b, 0); };",
  ],
  '/mean/facts.json': ['application/json', '{ "unit": "mm" }'],
  '/tools.js': [SCRIPT, "const { join } = require('./join.cjs'); exports.version = join('1', '2');"],
  '/join.cjs': [SCRIPT, "exports.join = (...parts) => parts.join('.');"],
  '/lonely.js': [SCRIPT, "export { default } from 'left-pad';"],
  '/page.js': ['text/html; charset=utf-8', '<!doctype html>'],
  '/endless.js': [SCRIPT, ''],
};

let server: Server;
let site: string;
let asked: string[] = [];
beforeAll(async () => {
  server = createServer(({ url = '' }, response) => {
    asked.push(url);
    const number = /^\/endless\/(\d+)\.js$/u.exec(url)?.[1];
    const [type, text] =
      number === undefined
        ? (FILES[url] ?? [])
        : [SCRIPT, `import './${2 * Number(number)}.js'; import './${2 * Number(number) + 1}.js';`];
    if (text === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': type }).end(text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => (asked = []));

const node = (packages: Record<string, string>, code: string) =>
  printedBy(javascript({ packages }), `node program.mjs; node program.mjs`, { '/program.mjs': code });

it('runs packages of several files, which import each other, files by address, and built-in modules', async () => {
  const packages = { mean: `${site}/mean/index.js`, tools: `${site}/tools.js` };
  const code = "import { mean, unit, version } from 'mean'; console.log(mean(1, 2, 6), unit, version);";
  expect(await node(packages, code)).toBe('3 mm 1.2\n3 mm 1.2\n');
  expect(asked.toSorted()).toEqual([
    '/join.cjs',
    '/mean/facts.json',
    '/mean/index.js',
    '/mean/parts/sum.js',
    '/tools.js',
  ]);
});

it('reaches no address that a program names', async () => {
  const packages = { tools: `${site}/tools.js` };
  const code = `for (const name of ['${site}/secret.js', 'tools/../secret.js', '/node_modules/.allowed/${site}/secret.js', 'tools?x'])
    await import(name).then(() => console.log('loaded'), (error) => console.log(error.message.slice(0, 19)));`;
  expect(await node(packages, code)).not.toContain('loaded');
  expect(asked).toEqual(['/tools.js', '/join.cjs']);
});

it('names a missing package, who imports it, and what can be done', async () => {
  expect(await node({ lonely: `${site}/lonely.js` }, "import 'lonely';")).toContain(
    `Cannot find package 'left-pad' imported from ${site}/lonely.js, a file of the application. The application must add it, too: javascript({ packages: { 'left-pad': address } }).`,
  );
  expect(await node({ lonely: `${site}/tools.js` }, "import 'other';")).toContain(
    "Cannot find package 'other' imported from /program.mjs. Of packages, there is only lonely, and none can be installed.",
  );
});

it.each([
  ['nothing.js', 'answers with HTTP 404.'],
  ['page.js', 'is a page, not a module.'],
])('names the package and the address that fails: %s', async (path, reason) => {
  expect(await node({ broken: `${site}/${path}` }, '')).toContain(
    `node: The package broken could not be loaded: ${site}/${path} ${reason}`,
  );
});

it('ends at a limit of files', async () => {
  expect(await node({ endless: `${site}/endless/1.js` }, '')).toContain(
    'The package endless could not be loaded: all packages together have more than 500 files',
  );
});
