import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import type { ChatModel } from '../../../src/base/model.js';
import type { RoleZero } from '../../../src/role/role-zero.js';
import { commands, runRole, scriptedModel } from '../../../src/testing/index.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const readme = readFileSync(`${root}README.md`, 'utf8');

/** The TypeScript of the README, each block a module of its own beside the sources. */
const snippets = [...readme.matchAll(/```ts\n([^]*?)```/g)].map((match, index) => ({
  name: `${root}readme-${index}.ts`,
  text: `${match[1] ?? ''}\nexport {};\n`,
}));

/** Runs a snippet that exports something, as a file beside this one. */
async function exportsOf(mentioning: string): Promise<Record<string, unknown>> {
  const snippet = snippets.find(({ text }) => text.includes(mentioning));
  const file = `${root}test/unit/readme/snippet-${process.pid}-${++written}.ts`;
  writeFileSync(file, snippet?.text ?? '');
  try {
    return (await import(/* @vite-ignore */ file)) as Record<string, unknown>;
  } finally {
    rmSync(file);
  }
}
let written = 0;

describe('the README', () => {
  it('shows a role made by options, and it runs', async () => {
    const { translator } = (await exportsOf('const translator')) as {
      translator: (model: ChatModel) => RoleZero;
    };
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
    const { Reviewer } = (await exportsOf('export class Reviewer')) as { Reviewer: typeof RoleZero };
    const model = scriptedModel({
      think: [commands(['RoleZero.reply_to_human', { content: 'All is well.' }], ['end', {}])],
    });
    const { human, requests } = await runRole(new Reviewer({ name: 'Rita', model }), 'Review it');
    expect(human.replies).toEqual(['All is well.']);
    for (const { messages } of requests) expect(messages[0]?.content).toMatch(/\nNever write files\.$/);
  });

  it('shows code that compiles', () => {
    const config = ts.readConfigFile(`${root}tsconfig.json`, (path) => ts.sys.readFile(path)).config as {
      compilerOptions: object;
    };
    const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
    const host = ts.createCompilerHost(options);
    const readFile = host.readFile.bind(host);
    const own = new Map(snippets.map(({ name, text }) => [name, text]));
    host.readFile = (path) => own.get(path) ?? readFile(path);
    host.fileExists = (path) => own.has(path) || ts.sys.fileExists(path);
    const getSourceFile = host.getSourceFile.bind(host);
    host.getSourceFile = (path, ...rest) => {
      const text = own.get(path);
      return text === undefined
        ? getSourceFile(path, ...rest)
        : ts.createSourceFile(path, text, ts.ScriptTarget.ES2022);
    };
    const program = ts.createProgram([...own.keys()], { ...options, noEmit: true }, host);
    const problems = ts.getPreEmitDiagnostics(program).map((problem) => {
      const line = problem.file?.getLineAndCharacterOfPosition(problem.start ?? 0).line ?? 0;
      return `${problem.file?.fileName}:${line + 1}: ${ts.flattenDiagnosticMessageText(problem.messageText, '\n')}`;
    });
    expect(snippets.length).toBeGreaterThan(8);
    expect(problems).toEqual([]);
  }, 120_000);

  it('names only errors that exist', () => {
    const codes = readFileSync(`${root}src/base/error.ts`, 'utf8');
    const table = readme.slice(readme.indexOf('| code | meaning |'), readme.indexOf('## What is there'));
    const named = [...table.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([\w-]+)`/g)].map(([, code]) => code),
    );
    expect(named.filter((code) => !codes.includes(`'${code}'`))).toEqual([]);
    expect(named.length).toBeGreaterThan(15);
  });
});
