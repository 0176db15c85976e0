import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { ChatModel } from '../../../src/base/model.js';
import type { RoleZero } from '../../../src/role/role-zero.js';
import { commands, runRole, scriptedModel } from '../../../src/testing/index.js';
import { documents, exportsOf, problemsOf, read, snippetsOf } from '../docs/snippets.js';

const readme = read('README.md');

describe('the README', () => {
  it('shows a role made by options, and it runs', async () => {
    const { translator } = await exportsOf<{ translator: (model: ChatModel) => RoleZero }>(
      'README.md',
      'const translator',
    );
    const model = scriptedModel({
      think: [
        commands(['Editor.write', { path: '/de.txt', content: 'Hallo' }]),
        commands(['RoleZero.reply_to_human', { content: 'Fertig.' }], ['end', {}]),
      ],
    });
    const role = translator(model);
    const { files, outcome, requests } = await runRole(role, 'Translate /en.txt', {
      files: { '/en.txt': 'Hello' },
    });
    expect([role.name, role.maxReactLoop, role.respondLanguage]).toEqual(['Tess', 200, 'German']);
    expect([files['/de.txt'], outcome.status]).toEqual(['Hallo', 'done']);
    expect(requests.map(({ purpose }) => purpose)).toEqual(['classify', 'think', 'think', 'summary']);
    expect(requests[0]?.messages[0]?.content).toContain('Translate one file per reply.');
  });

  it('shows a role made by a class, and it runs', async () => {
    const { Reviewer } = await exportsOf<{ Reviewer: typeof RoleZero }>('README.md', 'export class Reviewer');
    const model = scriptedModel({
      think: [commands(['RoleZero.reply_to_human', { content: 'All is well.' }], ['end', {}])],
    });
    const { human, requests } = await runRole(new Reviewer({ name: 'Rita', model }), 'Review it');
    expect(human.replies).toEqual(['All is well.']);
    for (const { messages } of requests) expect(messages[0]?.content).toMatch(/\nNever write files\.$/);
  });

  it('shows code that compiles, as the pages of docs do', () => {
    const snippets = documents.map((document) => ({ document, snippets: snippetsOf(document) }));
    const enough = { 'README.md': 8, 'docs/guide.md': 6, 'docs/recipes.md': 12 };
    for (const [document, least] of Object.entries(enough)) {
      const shown = snippets.find((one) => one.document === document)?.snippets.length;
      expect(shown, document).toBeGreaterThan(least);
    }
    // In the same program: a second one takes as long as the first.
    const wrong = { where: 'here:1', language: 'tsx', code: 'const number: number = <p>one</p>;' } as const;
    expect(problemsOf([...snippets.flatMap((one) => one.snippets), wrong])).toEqual([
      expect.stringMatching(/^here:1 \+0: .* is not assignable/),
    ]);
  }, 240_000);

  it('names only errors that exist', () => {
    const codes = readFileSync(fileURLToPath(new URL('../../../src/base/error.ts', import.meta.url)), 'utf8');
    const table = readme.slice(readme.indexOf('| code | meaning |'), readme.indexOf('## What is there'));
    const named = [...table.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([\w-]+)`/g)].map(([, code]) => code),
    );
    expect(named.filter((code) => !codes.includes(`'${code}'`))).toEqual([]);
    expect(named.length).toBeGreaterThan(15);
  });
});
