import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A code sample for users. */
export interface Snippet {
  /** The document, such as `docs/guide.md`, and the line where its code begins. */
  where: string;
  language: 'ts' | 'tsx' | 'vue' | 'svelte';
  code: string;
}

/** Documents written by hand: those of the root for users, and the pages of `docs/` and `docs/how-to/`. */
export const documents = [
  'README.md',
  'AGENTS.md',
  ...['docs', 'docs/how-to'].flatMap((folder) =>
    readdirSync(root + folder)
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
];

/** The text of a document. */
export function read(document: string): string {
  return readFileSync(`${root}${document}`, 'utf8');
}

/** The TypeScript in a document; for a component in Vue or Svelte, its script. Components in JavaScript are left out. */
export function snippetsOf(document: string): Snippet[] {
  return [...read(document).matchAll(/^```(ts|tsx|vue|svelte)\n([^]*?)^```$/gm)].flatMap((match) => {
    const [, language = 'ts', code = ''] = match;
    const isComponent = language === 'vue' || language === 'svelte';
    const script = /<script[^>]* lang="ts">\n([^]*?)<\/script>/.exec(code)?.[1];
    if (isComponent && script === undefined) return [];
    const line = match.input.slice(0, match.index).split('\n').length + 1;
    return {
      where: `${document}:${line}`,
      language: language as Snippet['language'],
      code: script ?? code,
    };
  });
}

/** Compiler errors of snippets, each a separate module next to the sources, as in an application. */
export function problemsOf(snippets: readonly Snippet[]): string[] {
  const config = ts.readConfigFile(`${root}tsconfig.json`, (path) => ts.sys.readFile(path)).config as {
    compilerOptions: object;
  };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const own = new Map(
    snippets.map((snippet, index) => [
      `${root}snippet-${index}.${snippet.language === 'tsx' ? 'tsx' : 'ts'}`,
      snippet,
    ]),
  );
  // The worker file of the README, which pages import as a type.
  const [worker] = snippetsOf('README.md').filter(({ code }) => code.startsWith('// src/agent.worker.ts'));
  if (worker !== undefined) own.set(`${root}agent.worker.ts`, worker);
  const textOf = ({ code }: Snippet) => `${code}\nexport {};\n`;
  const host = ts.createCompilerHost(options);
  const readFile = host.readFile.bind(host);
  host.readFile = (path) => {
    const snippet = own.get(path);
    return snippet === undefined ? readFile(path) : textOf(snippet);
  };
  host.fileExists = (path) => own.has(path) || ts.sys.fileExists(path);
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (path, ...rest) => {
    const snippet = own.get(path);
    return snippet === undefined
      ? getSourceFile(path, ...rest)
      : ts.createSourceFile(path, textOf(snippet), ts.ScriptTarget.ES2022);
  };
  const program = ts.createProgram(
    [...own.keys()],
    { ...options, noEmit: true, jsx: ts.JsxEmit.ReactJSX },
    host,
  );
  // The sources are not checked again: `tsc` does that.
  const problems = [...own.keys()].flatMap((path) => {
    const file = program.getSourceFile(path);
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
  });
  return [...program.getOptionsDiagnostics(), ...problems].map((problem) => {
    const line = problem.file?.getLineAndCharacterOfPosition(problem.start ?? 0).line ?? 0;
    const where = own.get(problem.file?.fileName ?? '')?.where ?? problem.file?.fileName ?? '';
    return `${where} +${line}: ${ts.flattenDiagnosticMessageText(problem.messageText, '\n')}`;
  });
}

let written = 0;

/** Runs a snippet as a module in Node and returns its exports. */
export async function run({ code }: Snippet): Promise<Record<string, unknown>> {
  const file = `${root}test/unit/docs/snippet-${process.pid}-${++written}.ts`;
  writeFileSync(file, code);
  try {
    return (await import(/* @vite-ignore */ file)) as Record<string, unknown>;
  } finally {
    rmSync(file);
  }
}

/** Runs the only snippet of a document that contains this text. */
export async function exportsOf<Exports>(document: string, mentioning: string): Promise<Exports> {
  const [snippet, ...others] = snippetsOf(document).filter(({ code }) => code.includes(mentioning));
  if (snippet === undefined || others.length > 0)
    throw new Error(`${1 + others.length} snippets of ${document} hold ${mentioning}.`);
  return (await run(snippet)) as Exports;
}
