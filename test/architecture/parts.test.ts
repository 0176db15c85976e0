import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../src/', import.meta.url));

/** Returns the source files of a folder of `src/`, as paths below it. */
const filesOf = (folder: string) =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => ({ name, source: readFileSync(`${root}${folder}/${name}`, 'utf8') }));

const files = filesOf('agent').map(({ name, source }) => ({
  name,
  source,
  text: source.replaceAll(/\/\*[^]*?\*\//g, ''),
}));

/** Returns the files of the agent, apart from those that assemble the parts, whose code matches. */
const matching = (pattern: RegExp): string[] =>
  files.flatMap(({ name, text }) => (pattern.test(text) ? [name] : []));

/** Texts for models, which applications replace by name, with examples that name commands. */
const TEXTS = ['prompt/prompts.ts', 'prompt/chinese.ts'];

/** Names of all tools that the library declares outside of the agent. */
const TOOLS = ['tools', 'notes', 'subagents', 'team', 'metagpt', 'parts'].flatMap((folder) =>
  filesOf(folder).flatMap(({ source }) =>
    [...source.matchAll(/(?:\bname: |^const [A-Z]+ = )'([A-Z]\w+\.[a-z]\w*)'/gm)].map(
      ([, name = '']) => name,
    ),
  ),
);
const GROUPS = [...new Set(TOOLS.map((name) => name.split('.')[0] ?? ''))];

/** Returns the texts and patterns in code, without comments. */
function literalsOf(source: string): string[] {
  const literals: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isLiteralExpression(node) || ts.isTemplateLiteralToken(node)) literals.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('a.ts', source, ts.ScriptTarget.Latest));
  return literals;
}

/** Returns the literals that name a tool or a group, by the form of a command or as one of the library. */
function toolNames(source: string): string[] {
  const group = new RegExp(String.raw`^(?:${GROUPS.join('|')})$|\b(?:${GROUPS.join('|')})\b[|)]*\\?\.`);
  const command = /(?<![\w.])[A-Z][A-Za-z]+\.[a-z]+_?[a-z_]*(?![\w.]*\()/;
  return literalsOf(source).filter(
    (text) => group.test(text) || TOOLS.some((name) => text.includes(name)) || command.test(text),
  );
}

describe('the core of an agent', () => {
  it('imports no part, except where the parts are assembled', () => {
    expect(matching(/from '(?:\.\.\/)+(?:parts|notes|subagents)\//)).toEqual(['role-zero.ts']);
  });

  it('reads no state of a tool by the name of the tool', () => {
    expect(matching(/\btools\??\.?\[['"]/)).toEqual([]);
  });

  it('names no tool and no group of tools, and its own commands only by their constants', () => {
    expect(TOOLS).toEqual(expect.arrayContaining(['Editor.read', 'Browser.goto', 'Notes.write']));
    expect(
      toolNames(`f('Editor.read', 'Browser', /^(?:Editor|Browser)\\./, 'Plan.append_task')`),
    ).toHaveLength(4);
    expect(toolNames(`f('A browser. It shows', 'a.b', \`The Plan. And so on\`)`)).toEqual([]);
    const named = files.filter(({ name }) => !TEXTS.includes(name));
    expect(named.flatMap(({ name, source }) => toolNames(source).map((text) => `${name}: ${text}`))).toEqual(
      [],
    );
  });
});
