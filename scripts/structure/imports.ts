/** What a module imports. */
import { posix } from 'node:path';
import ts from 'typescript';

/** Paths of modules, such as `base/error.ts`. */
type Paths = Pick<ReadonlySet<string>, 'has'>;

/** An import, an export of another module, or the import of a type. */
export interface Import {
  specifier: string;
  /** Path of the module below its folder, or null for a package. */
  file: string | null;
  node: ts.ImportDeclaration | ts.ExportDeclaration | ts.ImportTypeNode | ts.CallExpression;
}

/** Returns the imports of a module. `paths` are the modules of its folder. */
export function importsOf(path: string, file: ts.SourceFile, paths: Paths): Import[] {
  const found: Import[] = [];
  const add = (text: ts.Node | undefined, node: Import['node']) => {
    if (text === undefined) return;
    const specifier = ts.isStringLiteralLike(text) ? text.text : text.getText();
    found.push({ specifier, file: resolve(path, specifier, paths), node });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) add(node.moduleSpecifier, node);
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, node);
    if (isDynamicImport(node)) add(node.arguments[0], node);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

export function isDynamicImport(node: ts.Node): node is ts.CallExpression {
  return ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
}

function resolve(from: string, specifier: string, paths: Paths): string | null {
  if (!specifier.startsWith('.')) return null;
  const target = posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts');
  return paths.has(target) ? target : posix.join(posix.dirname(from), specifier);
}
