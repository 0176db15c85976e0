import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const readme = readFileSync(`${root}README.md`, 'utf8');

/** The TypeScript of the README, each block a module of its own beside the sources. */
const snippets = [...readme.matchAll(/```ts\n([^]*?)```/g)].map((match, index) => ({
  name: `${root}readme-${index}.ts`,
  text: `${match[1] ?? ''}\nexport {};\n`,
}));

describe('the README', () => {
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
