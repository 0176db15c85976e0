import { parser } from '@lezer/python';
import type { Linter, Problem } from '../../core/linter.js';
import { pythonProblems } from '../editor/syntax/python-syntax.js';
import { TextLines } from '../editor/text-lines.js';
import { linterFor, MAX_PROBLEMS } from './languages.js';
import { undefinedNames } from './python-names.js';

type Node = ReturnType<typeof parser.parse>['topNode'];

/**
 * Checks Python: first its shape, with messages in Python's own wording, then its grammar (`@lezer/python`), then its names. A name is
 * reported if it is read, but bound nowhere in the file. Scopes, order and types are not checked.
 */
export function python(): Linter {
  return linterFor(['py', 'pyi'], (text) => {
    const shape = pythonProblems(text);
    return shape.length > 0 ? shape : problemsInTree(text);
  });
}

function problemsInTree(text: string): Problem[] {
  const lines = new TextLines(text);
  const tree = parser.parse(text);
  const found = new Map<number, Problem>();
  const errors: number[] = [];
  const problemAt = (from: number, message: string): Problem => {
    const line = lines.numberAt(from);
    return { line, column: from - lines.start(line) + 1, message };
  };
  tree.iterate({
    enter({ node, from, type }) {
      if (!type.isError) return;
      errors.push(from);
      if (found.size >= MAX_PROBLEMS || isUnknownToParser(text, node)) return;
      const problem = problemAt(from, 'invalid syntax');
      if (!found.has(problem.line)) found.set(problem.line, problem);
    },
  });
  if (errors.length === 0)
    return undefinedNames(text, tree).map(({ name, from }) => problemAt(from, `undefined name '${name}'`));
  return [...found.values()].sort((one, other) => one.line - other.line);
}

/**
 * Returns whether an error is in valid Python that the parser's grammar does not support. This covers several context managers in
 * parentheses after `with`, and decorators that are more than a name. It also covers stars in subscripts and after `in`. Errors in such
 * statements go undetected, but a correct edit is never rejected because of them.
 */
function isUnknownToParser(text: string, error: Node): boolean {
  let node: Node | null = error;
  while (node !== null && node.name !== 'Body' && node.name !== 'Script') {
    const source = text.slice(node.from, node.to);
    switch (node.name) {
      case 'WithStatement':
        return /^(?:async\s+)?with\s*\(/u.test(source);
      case 'Decorator':
      case 'DecoratedStatement':
        return true;
      case 'MemberExpression':
        if (/\[[^\]]*\*/u.test(source)) return true;
        break;
      case 'ForStatement':
      case 'TypeDef':
        return /\bin\s+\*|,\s*\*/u.test(lineOf(text, node.from));
    }
    node = node.parent;
  }
  return false;
}

function lineOf(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, end === -1 ? undefined : end);
}
