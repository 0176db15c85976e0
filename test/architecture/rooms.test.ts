import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { violations, type Sources } from './rooms.js';

const source = fileURLToPath(new URL('../../src/', import.meta.url));

function sourceFiles(): Sources {
  const names = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  return new Map(names.map((name) => [name.replaceAll('\\', '/'), readFileSync(`${source}${name}`, 'utf8')]));
}

/** What is wrong with a house of the given files. */
const wrong = (files: Record<string, string>) => violations(new Map(Object.entries(files)));

test('every file imports only what the table allows', () => {
  expect(violations(sourceFiles())).toEqual([]);
});

test('an import that points up is named with the rule it breaks, whatever form it takes', () => {
  expect(
    wrong({
      'team/role.ts': 'export class Role {}',
      'plan/a.ts': `import { Role } from '../team/role.js';`,
      'plan/b.ts': `export * from '../team/role.js';`,
      'plan/c.ts': `import type { Role } from '../team/role.js';`,
      'plan/d.ts': `let role: import('../team/role.js').Role;`,
      'core/e.ts': `import '../team/role.js';`,
      'attic/f.ts': '',
    }),
  ).toEqual([
    `plan/a.ts imports '../team/role.js': plan may import only core`,
    `plan/b.ts imports '../team/role.js': plan may import only core`,
    `plan/c.ts imports '../team/role.js': plan may import only core`,
    `plan/d.ts imports '../team/role.js': plan may import only core`,
    `core/e.ts imports '../team/role.js': core may import no other room`,
    'attic/f.ts: the room attic is not in the table of rooms',
  ]);
});

test('a folder of the agent is a module of its own', () => {
  const importing = `import { x } from '../../tools/index.js';`;
  expect(
    wrong({
      'tools/index.ts': '',
      'agent/parse/a.ts': importing,
      'agent/loop.ts': `import { x } from '../tools/index.js';`,
      'agent/attic/b.ts': '',
    }),
  ).toEqual([
    `agent/parse/a.ts imports '../../tools/index.js': agent/parse may import only core, agent/json`,
    'agent/attic/b.ts: the room agent/attic is not in the table of rooms',
  ]);
});

test('only the list of sessions may look into storage from the page', () => {
  const importing = `import { x } from '../storage/index.js';`;
  expect(
    wrong({ 'storage/index.ts': '', 'client/sessions.ts': importing, 'client/connect.ts': importing }),
  ).toEqual([`client/connect.ts imports '../storage/index.js': client may import only core, wire`]);
});

test('cycles of files are found, those of rooms as well', () => {
  expect(
    wrong({
      'core/a.ts': `import './b.js';`,
      'core/b.ts': `export * from './c.js';`,
      'core/c.ts': `import './b.js';`,
      'core/d.ts': `import type {} from './e.js';`,
      'core/e.ts': `import './d.js';`,
    }),
  ).toEqual([
    'core/b.ts → core/c.ts → core/b.ts: a cycle of files',
    'core/d.ts → core/e.ts → core/d.ts: a cycle of files',
  ]);
  expect(
    wrong({
      'core/a.ts': `import '../plan/a.js';`,
      'core/b.ts': '',
      'plan/a.ts': '',
      'plan/b.ts': `import '../core/b.js';`,
    }),
  ).toContain('core → plan → core: a cycle of rooms');
});

test('pure rooms name no browser, except as a word of their own', () => {
  expect(
    wrong({
      'plan/a.ts': 'export const load = () => fetch("/");',
      'memory/b.ts': 'export const now = (window: { document: number }) => window.document;',
      'files/c.ts': 'export type Worker = { fetch(): void }; export const x = { self: 1 };',
      'files/d.ts': 'export const tell = () => self.postMessage(1);',
      'tools/e.ts': 'export const load = () => fetch("/");',
    }),
  ).toEqual([
    'plan/a.ts names fetch: the room plan is pure and knows no browser',
    'files/d.ts names self: the room files is pure and knows no browser',
  ]);
});

test('importing a module does nothing a server could not do', () => {
  expect(
    wrong({
      'client/a.ts': 'export const worker = new Worker("a.js");',
      'client/b.ts': 'export class A { static name = document.title; title = document.title; }',
      'client/c.ts': 'export const start = () => new Worker("a.js");',
    }),
  ).toEqual([
    'client/a.ts names Worker at its top level: importing a module on a server must be harmless',
    'client/b.ts names document at its top level: importing a module on a server must be harmless',
  ]);
});

test('what a worker reaches has no dynamic import and no top-level await', () => {
  expect(
    wrong({
      'worker/index.ts': `import '../wire/a.js';`,
      'wire/a.ts': `await 1; export const load = () => import('comlink');`,
      'spawn/worker.ts': `import '../worker/index.js'; export const load = () => import('idb');`,
      'spawn/spawn.ts': `export const load = () => import('./worker-inline.js');`,
      'spawn/worker-inline.ts': '',
    }),
  ).toEqual([
    `wire/a.ts imports 'comlink' dynamically: a worker reaches this file, and Vite ≤ 7 cannot build such workers`,
    `wire/a.ts imports 'comlink' dynamically: only spawn and some files of the page do so`,
    'wire/a.ts awaits at its top level: workers of Vite ≤ 7 cannot be built from it',
    `spawn/worker.ts imports 'idb' dynamically: a worker reaches this file, and Vite ≤ 7 cannot build such workers`,
  ]);
});

test('schema libraries are for applications, code never as text, and a provider has one vendor', () => {
  expect(
    wrong({
      'tools/a.ts': `import * as z from 'zod/mini'; import { string } from 'valibot';`,
      'team/b.ts': `export const run = (code: string) => eval(code) + new Function(code)();`,
      'providers/c.ts': `import 'eventsource-parser/stream'; import 'eventsource-parser'; import '@vendor/sdk';`,
    }),
  ).toEqual([
    "tools/a.ts imports 'zod/mini': core/schema.ts is smaller",
    "tools/a.ts imports 'valibot': core/schema.ts is smaller",
    'team/b.ts names eval: nothing is ever evaluated',
    'team/b.ts makes a Function from text: nothing is ever evaluated',
    `providers/c.ts imports eventsource-parser and @vendor/sdk: a provider's file has one vendor at most`,
  ]);
});
