/**
 * `npm run docs:api`: writes `docs/api.md`, the public surface as bare declarations, so that a review shows every change of it. Each export
 * is in the section of the first entry point that exports it. Types that exports only refer to are in the last section.
 */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { publicEntries } from './public-entries.mjs';

const root = fileURLToPath(new URL('..', import.meta.url))
  .replaceAll('\\', '/')
  .replace(/\/$/, '');

/** Characters of a string literal type. Longer ones, such as prompts, are cut: their wording is not part of the contract. */
const MAX_LITERAL = 60;

/** A name in a file. */
interface Place {
  file: string;
  name: string;
}

/** Everything that one file declares under one name. */
interface Declaration extends Place {
  source: ts.SourceFile;
  statements: ts.Statement[];
}

interface Module {
  own: Map<string, Declaration>;
  imports: Map<string, Place>;
  exports: Map<string, Place>;
  /** Files of `export * from`. */
  stars: string[];
}

type Modules = ReadonlyMap<string, Module>;

interface Found {
  /** Unique for a declaration: `file#name`. */
  key: string;
  declaration: Declaration;
}

export function main(): void {
  writeFileSync(join(root, 'docs/api.md'), apiReport());
}

/** Returns the text of `docs/api.md`. */
export function apiReport(): string {
  const entries = new Map([...publicEntries()].map(([name, path]) => [name, path.replace(/\.ts$/, '')]));
  const files = declarations([...entries.values()]);
  const sections: string[] = [];
  /** The entry point whose section has a declaration. */
  const listed = new Map<string, string>();
  const exported = new Map<string, [string, Found][]>();
  for (const [entry, path] of entries) {
    const names = [...exportsOf(files, path)].sort(([one], [other]) => compare(one, other));
    exported.set(entry, names);
    for (const [, { key }] of names) if (!listed.has(key)) listed.set(key, entry);
  }
  for (const [entry, names] of exported) {
    const lines = names.map(([name, { key, declaration }]) => {
      const first = listed.get(key);
      if (first !== undefined && first !== entry) return `// ${name}: see ${first}`;
      const alias = declaration.name === name ? '' : `export { ${declaration.name} as ${name} };\n`;
      return alias + print(declaration);
    });
    sections.push(`## ${entry}\n\n${fence(lines)}`);
  }
  const rest = [
    ...reachable(
      files,
      [...exported.values()].flat().map(([, found]) => found),
    ),
  ]
    .filter(([key]) => !listed.has(key))
    .sort(([one], [other]) => compare(one, other));
  const inner = rest.map(([, declaration]) => `// ${declaration.file}\n${print(declaration)}`);
  sections.push(`## Not exported, but used by exports\n\n${fence(inner)}`);
  return `# Public surface\n\nWritten by \`npm run docs:api\`: the declarations that the package exports. \`npm run docs\` builds a site with the doc comments; CONTRIBUTING says\nwhat counts as a break.\n\n${sections.join('\n')}`;
}

/** Emits the declarations as the build does. Returns them by path below `src/`, without extension. */
function declarations(entries: readonly string[]): Modules {
  const file = ts.readConfigFile(join(root, 'tsconfig.build.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(file.config, ts.sys, root);
  const program = ts.createProgram(
    entries.map((entry) => `${root}/src/${entry}.ts`),
    {
      ...options,
      outDir: `${root}/dist`,
      declarationMap: false,
      sourceMap: false,
      emitDeclarationOnly: true,
      noCheck: true, // `tsc` does
      stripInternal: true,
      removeComments: true,
    },
  );
  const files = new Map<string, Module>();
  const { emitSkipped, diagnostics } = program.emit(undefined, (path, text) => {
    const name = path
      .replaceAll('\\', '/')
      .slice(`${root}/dist/`.length)
      .replace(/\.d\.ts$/, '');
    files.set(name, readModule(name, text));
  });
  if (emitSkipped || diagnostics.length > 0)
    throw new Error(ts.formatDiagnostics(diagnostics, ts.createCompilerHost(options)));
  return files;
}

function readModule(name: string, text: string): Module {
  const source = ts.createSourceFile(`${name}.d.ts`, text, ts.ScriptTarget.Latest, true);
  const module: Module = { own: new Map(), imports: new Map(), exports: new Map(), stars: [] };
  const declare = (own: string, statement: ts.Statement): void => {
    const known = module.own.get(own) ?? { name: own, file: name, source, statements: [] };
    known.statements.push(statement);
    module.own.set(own, known);
    if (hasModifier(statement, ts.SyntaxKind.ExportKeyword))
      module.exports.set(own, { file: name, name: own });
  };
  for (const statement of source.statements) {
    if (ts.isVariableStatement(statement)) {
      for (const { name: own } of statement.declarationList.declarations)
        if (ts.isIdentifier(own)) declare(own.text, statement);
    } else if (ts.isImportDeclaration(statement)) readImport(module, name, statement);
    else if (ts.isExportDeclaration(statement)) readExport(module, name, statement);
    else if (isNamed(statement)) declare(statement.name.text, statement);
  }
  return module;
}

function isNamed(statement: ts.Statement): statement is ts.Statement & { name: ts.Identifier } {
  return 'name' in statement && ts.isIdentifier(statement.name as ts.Node);
}

function readImport(module: Module, file: string, statement: ts.ImportDeclaration): void {
  const from = target(file, textOf(statement.moduleSpecifier));
  const bindings = statement.importClause?.namedBindings;
  if (from === null || bindings === undefined || !ts.isNamedImports(bindings)) return;
  for (const each of bindings.elements)
    module.imports.set(each.name.text, { file: from, name: (each.propertyName ?? each.name).text });
}

function readExport(module: Module, file: string, statement: ts.ExportDeclaration): void {
  const specifier = statement.moduleSpecifier;
  const from = specifier === undefined ? file : target(file, textOf(specifier));
  if (from === null) throw new Error(`${file} exports from a package.`);
  if (statement.exportClause === undefined) module.stars.push(from);
  else if (ts.isNamedExports(statement.exportClause))
    for (const each of statement.exportClause.elements)
      module.exports.set(each.name.text, { file: from, name: (each.propertyName ?? each.name).text });
}

/** Returns the file a specifier names, or null for a package. */
function target(from: string, specifier: string): string | null {
  return specifier.startsWith('.')
    ? join(dirname(from), specifier).replaceAll('\\', '/').replace(/\.js$/, '')
    : null;
}

/** Yields what a module exports, by name. */
function* exportsOf(files: Modules, path: string): Generator<[string, Found]> {
  const module = files.get(path);
  if (module === undefined) throw new Error(`${path} was not emitted.`);
  for (const star of module.stars) yield* exportsOf(files, star);
  for (const [name, at] of module.exports) {
    const found = find(files, at);
    if (found === null) throw new Error(`${path} exports ${name}, which is not among our declarations.`);
    yield [name, found];
  }
}

/** Follows a name to where it is declared; null when that is in another package. */
function find(files: Modules, { file, name }: Place): Found | null {
  const module = files.get(file);
  const declaration = module?.own.get(name);
  if (declaration !== undefined) return { key: `${file}#${name}`, declaration };
  const next = module?.imports.get(name) ?? module?.exports.get(name);
  if (next !== undefined) return find(files, next);
  for (const star of module?.stars ?? []) {
    const found = find(files, { file: star, name });
    if (found !== null) return found;
  }
  return null;
}

/** Returns the declarations and everything they refer to, directly or not. */
function reachable(files: Modules, from: readonly Found[]): Map<string, Declaration> {
  const seen = new Map(from.map(({ key, declaration }) => [key, declaration]));
  for (const declaration of seen.values())
    for (const name of references(declaration)) {
      const found = find(files, name);
      if (found !== null && !seen.has(found.key)) seen.set(found.key, found.declaration);
    }
  return seen;
}

/** Returns the names that a declaration uses as types, outside of private members. */
function references({ file, statements }: Declaration): Place[] {
  const names: Place[] = [];
  const visit = (node: ts.Node): void => {
    if (isPrivate(node)) return;
    if (ts.isTypeReferenceNode(node)) names.push({ file, name: leftmost(node.typeName) });
    if (ts.isExpressionWithTypeArguments(node) && ts.isIdentifier(node.expression))
      names.push({ file, name: node.expression.text });
    if (ts.isTypeQueryNode(node) && !ts.isImportTypeNode(node.exprName))
      names.push({ file, name: leftmost(node.exprName) });
    if (ts.isImportTypeNode(node) && node.qualifier !== undefined) {
      const from = target(file, ts.isLiteralTypeNode(node.argument) ? textOf(node.argument.literal) : '');
      if (from !== null) names.push({ file: from, name: leftmost(node.qualifier) });
    }
    ts.forEachChild(node, visit);
  };
  statements.forEach(visit);
  return names;
}

function textOf(node: ts.Node): string {
  return ts.isStringLiteral(node) ? node.text : '';
}

function leftmost(name: ts.EntityName): string {
  return ts.isIdentifier(name) ? name.text : leftmost(name.left);
}

function hasModifier(node: ts.Node, wanted: ts.SyntaxKind): boolean {
  return ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some(({ kind }) => kind === wanted);
}

/** Whether users cannot name a member. A private constructor is visible: a class that has one cannot be constructed. */
function isPrivate(node: ts.Node): boolean {
  if (ts.isPropertyDeclaration(node) && ts.isPrivateIdentifier(node.name)) return true;
  return (
    ts.isClassElement(node) &&
    !ts.isConstructorDeclaration(node) &&
    hasModifier(node, ts.SyntaxKind.PrivateKeyword)
  );
}

const printer = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed });

function print({ statements, source }: Declaration): string {
  const simpler: ts.TransformerFactory<ts.Statement> = (context) => (statement) => {
    const visit = (node: ts.Node): ts.Node | undefined => {
      if (isPrivate(node)) return undefined;
      if (ts.isStringLiteral(node) && ts.isLiteralTypeNode(node.parent) && node.text.length > MAX_LITERAL)
        return ts.factory.createStringLiteral(`${node.text.slice(0, MAX_LITERAL)}...`);
      return ts.visitEachChild(node, visit, context);
    };
    return ts.visitNode(statement, visit, (node) => ts.isStatement(node)) ?? statement;
  };
  return statements
    .map((statement) => {
      const result = ts.transform(statement, [simpler]);
      const text = printer.printNode(ts.EmitHint.Unspecified, result.transformed[0] ?? statement, source);
      result.dispose();
      return text.replace(/^export declare |^declare /, 'export declare ');
    })
    .join('\n');
}

/** Uses `typescript`, because the tests compile every `ts` block of the documentation. */
function fence(lines: readonly string[]): string {
  return `\`\`\`typescript\n${lines.join('\n\n')}\n\`\`\`\n`;
}

/** Independent of the locale, so that every machine writes the same order. */
function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
