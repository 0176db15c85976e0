/**
 * Writes `docs/api.md`: the public surface as bare declarations, so that a review sees every change of it. What the package's entries
 * export stands in the section of the first entry that does; what is not exported but reached from there, at the end.
 *
 *     npm run docs
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url))
  .replaceAll('\\', '/')
  .replace(/\/$/, '');

/** Characters of a text that is a type; longer ones, such as those of prompts, are cut: their words are no promise. */
const MAX_LITERAL = 60;

/** What would be written. */
export function apiReport() {
  const entries = publicEntries();
  const files = declarations([...entries.values()]);
  const sections = [];
  /** Where a declaration is told of already. */
  const told = new Map();
  const exported = new Map();
  for (const [entry, path] of entries) {
    const names = [...exportsOf(files, path)].sort(([one], [other]) => compare(one, other));
    exported.set(entry, names);
    for (const [, { key }] of names) if (!told.has(key)) told.set(key, entry);
  }
  for (const [entry, names] of exported) {
    const lines = names.map(([name, { key, declaration }]) => {
      const first = told.get(key);
      if (first !== entry) return `// ${name}: see ${first}`;
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
    .filter(([key]) => !told.has(key))
    .sort(([one], [other]) => compare(one, other));
  const inner = rest.map(([key, declaration]) => `// ${key.split('#')[0]}\n${print(declaration)}`);
  sections.push(`## Not exported, but part of what is\n\n${fence(inner)}`);
  return `# Public surface\n\nWritten by \`npm run docs\`: what the package declares, without words. The [reference](reference/README.md) has the words; CONTRIBUTING says\nwhat counts as a break.\n\n${sections.join('\n')}`;
}

/** What is imported, and its source below \`src/\` without ending. */
function publicEntries() {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return new Map(
    Object.entries(exports)
      .filter(([, entry]) => typeof entry === 'object')
      .map(([path, { types }]) => [
        path.replace('.', 'rolezero'),
        types.replace('./dist/', '').replace(/\.d\.ts$/, ''),
      ]),
  );
}

/** The declarations as the build makes them, by path below \`src/\` without ending: what each file declares, imports and exports. */
function declarations(entries) {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.build.json'), (path) => ts.sys.readFile(path));
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
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
  const files = new Map();
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

function readModule(name, text) {
  const source = ts.createSourceFile(`${name}.d.ts`, text, ts.ScriptTarget.Latest, true);
  const module = { own: new Map(), imports: new Map(), exports: new Map(), stars: [] };
  const declare = (own, statement) => {
    const known = module.own.get(own) ?? { name: own, file: name, source, statements: [] };
    known.statements.push(statement);
    module.own.set(own, known);
    if (statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
      module.exports.set(own, { file: name, name: own });
  };
  for (const statement of source.statements) {
    if (ts.isVariableStatement(statement))
      for (const { name: own } of statement.declarationList.declarations) declare(own.text, statement);
    else if (ts.isImportDeclaration(statement)) {
      const from = target(name, statement.moduleSpecifier.text);
      const bindings = statement.importClause?.namedBindings;
      if (from !== null && bindings !== undefined && ts.isNamedImports(bindings))
        for (const each of bindings.elements)
          module.imports.set(each.name.text, { file: from, name: (each.propertyName ?? each.name).text });
    } else if (ts.isExportDeclaration(statement)) {
      const from =
        statement.moduleSpecifier === undefined ? name : target(name, statement.moduleSpecifier.text);
      if (statement.exportClause === undefined) module.stars.push(from);
      else
        for (const each of statement.exportClause.elements)
          module.exports.set(each.name.text, { file: from, name: (each.propertyName ?? each.name).text });
    } else if (statement.name !== undefined) declare(statement.name.text, statement);
  }
  return module;
}

/** The file a specifier names, or null for a package. */
function target(from, specifier) {
  return specifier.startsWith('.')
    ? join(dirname(from), specifier).replaceAll('\\', '/').replace(/\.js$/, '')
    : null;
}

/** What a module exports, by name, as it is declared. */
function* exportsOf(files, path) {
  const module = files.get(path);
  for (const star of module.stars) yield* exportsOf(files, star);
  for (const [name, at] of module.exports) {
    const found = find(files, at);
    if (found === null) throw new Error(`${path} exports ${name}, which is not among our declarations.`);
    yield [name, found];
  }
}

/** Follows a name to where it is declared; null when that is in another package. */
function find(files, { file, name }) {
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

/** Everything that declarations refer to, and what that refers to. */
function reachable(files, from) {
  const seen = new Map(from.map(({ key, declaration }) => [key, declaration]));
  for (const declaration of seen.values())
    for (const name of references(declaration)) {
      const found = find(files, { file: declaration.file, ...name });
      if (found !== null && !seen.has(found.key)) seen.set(found.key, found.declaration);
    }
  return seen;
}

/** Names a declaration uses as types; of private members nothing is told. */
function references({ file, statements }) {
  const names = [];
  const visit = (node) => {
    if (isPrivate(node)) return;
    if (ts.isTypeReferenceNode(node)) names.push({ name: leftmost(node.typeName) });
    if (ts.isExpressionWithTypeArguments(node) && ts.isIdentifier(node.expression))
      names.push({ name: node.expression.text });
    if (ts.isTypeQueryNode(node) && !ts.isImportTypeNode(node.exprName))
      names.push({ name: leftmost(node.exprName) });
    if (ts.isImportTypeNode(node) && node.qualifier !== undefined) {
      const from = target(file, node.argument.literal.text);
      if (from !== null) names.push({ file: from, name: leftmost(node.qualifier) });
    }
    ts.forEachChild(node, visit);
  };
  statements.forEach(visit);
  return names;
}

function leftmost(name) {
  return ts.isIdentifier(name) ? name.text : leftmost(name.left);
}

/** Nobody outside can name it. That a constructor is private can be noticed. */
function isPrivate(node) {
  if (ts.isPropertyDeclaration(node) && ts.isPrivateIdentifier(node.name)) return true;
  return (
    ts.isClassElement(node) &&
    !ts.isConstructorDeclaration(node) &&
    (node.modifiers ?? []).some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword)
  );
}

const printer = ts.createPrinter({ removeComments: true, newLine: ts.NewLineKind.LineFeed });

function print({ statements, source }) {
  const simpler = (context) => (statement) => {
    const visit = (node) => {
      if (isPrivate(node)) return undefined;
      if (ts.isStringLiteral(node) && ts.isLiteralTypeNode(node.parent) && node.text.length > MAX_LITERAL)
        return ts.factory.createStringLiteral(`${node.text.slice(0, MAX_LITERAL)}...`);
      return ts.visitEachChild(node, visit, context);
    };
    return ts.visitNode(statement, visit);
  };
  return statements
    .map((statement) => {
      const { transformed, dispose } = ts.transform(statement, [simpler]);
      const text = printer.printNode(ts.EmitHint.Unspecified, transformed[0], source);
      dispose();
      return text.replace(/^export declare |^declare /, 'export declare ');
    })
    .join('\n');
}

/** Not `ts`: what is shown to people is compiled by the tests, and this is no code of theirs. */
function fence(lines) {
  return `\`\`\`typescript\n${lines.join('\n\n')}\n\`\`\`\n`;
}

/** Not by locale: the same on every machine. */
function compare(one, other) {
  return one < other ? -1 : one > other ? 1 : 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(join(root, 'docs/api.md'), apiReport());
