/** What the source says about its structure, without running it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { importsOf, type Import } from './imports.js';

/** A module of a folder, and the modules of that folder that it imports. */
export interface Source {
  path: string;
  lines: number;
  imports: readonly string[];
  file: ts.SourceFile;
}

/** Reads the TypeScript modules of a folder, by path below it. */
export function readSources(folder: string): Source[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.d.ts'),
  );
  const known = new Set(paths);
  return paths.toSorted().map((path) => {
    const text = readFileSync(join(folder, path), 'utf8');
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, /* setParentNodes */ true);
    return {
      path,
      lines: text.split('\n').length - 1,
      imports: modulesIn(importsOf(path, file, known), known),
      file,
    };
  });
}

/** Returns the modules of the folder among imports, each once. */
function modulesIn(imports: readonly Import[], known: ReadonlySet<string>): string[] {
  return [...new Set(imports.flatMap(({ file }) => (file !== null && known.has(file) ? [file] : [])))];
}

/** Returns the number of modules that exactly one other module imports. */
export function withOneImporter(sources: readonly Source[]): number {
  const importers = new Map<string, number>();
  for (const { imports } of sources)
    for (const path of imports) importers.set(path, (importers.get(path) ?? 0) + 1);
  return [...importers.values()].filter((count) => count === 1).length;
}

/** Returns the groups of modules that import each other in a circle. Imports of types count. */
export function circles(sources: readonly Source[]): string[][] {
  const importsOf = new Map(sources.map(({ path, imports }) => [path, imports]));
  const reached = new Map(sources.map(({ path }) => [path, reachableFrom(path, importsOf)]));
  const inCircle = sources.filter(({ path }) => reached.get(path)?.has(path)).map(({ path }) => path);
  const groups: string[][] = [];
  for (const path of inCircle)
    if (!groups.some((group) => group.includes(path)))
      groups.push(inCircle.filter((other) => reached.get(path)?.has(other) && reached.get(other)?.has(path)));
  return groups;
}

function reachableFrom(start: string, importsOf: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>();
  const next = [...(importsOf.get(start) ?? [])];
  for (let path = next.pop(); path !== undefined; path = next.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    next.push(...(importsOf.get(path) ?? []));
  }
  return reached;
}

/** Returns the names that several modules declare at their top level, and the number of modules of each. */
export function repeatedNames(sources: readonly Source[]): [name: string, modules: number][] {
  const modules = new Map<string, Set<string>>();
  for (const { path, file } of sources)
    for (const name of file.statements.flatMap(namesOf))
      modules.set(name, (modules.get(name) ?? new Set()).add(path));
  return [...modules]
    .filter(([, paths]) => paths.size > 1)
    .map(([name, paths]): [string, number] => [name, paths.size])
    .toSorted((one, other) => other[1] - one[1]);
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name) ? [name.text] : [],
    );
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement);
  return isNamed && statement.name !== undefined ? [statement.name.text] : [];
}

/** Returns the names of the members of classes that others can use, those of the classes they extend included. */
export function membersOf(classes: readonly string[], sources: readonly Source[]): Set<string> {
  const declared = sources
    .flatMap(({ file }) => file.statements.filter(ts.isClassDeclaration))
    .filter(({ name }) => name !== undefined && classes.includes(name.text));
  if (declared.length !== classes.length) throw new Error(`Not all of ${classes.join(', ')} are classes.`);
  const names = declared.flatMap(({ members }) =>
    members.flatMap((member) => {
      if (ts.isConstructorDeclaration(member))
        return member.parameters
          .filter((each) => (each.modifiers?.length ?? 0) > 0)
          .map(({ name }) => name.getText());
      const { name } = member;
      return name === undefined || ts.isPrivateIdentifier(name) ? [] : [name.getText()];
    }),
  );
  return new Set(names);
}
