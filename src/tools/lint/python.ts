import { parser } from '@lezer/python';
import type { Linter, Problem } from '../../core/linter.js';
import { pythonProblems } from '../editor/syntax/python-syntax.js';
import { TextLines } from '../editor/text-lines.js';
import { linterFor, MAX_PROBLEMS } from './languages.js';

type Node = ReturnType<typeof parser.parse>['topNode'];

/** Checks the syntax of Python: first its shape, with messages in Python's own wording, then its grammar (`@lezer/python`). */
export function python(): Linter {
  return linterFor(['py', 'pyi'], (text) => {
    const shape = pythonProblems(text);
    return shape.length > 0 ? shape : grammarProblems(text);
  });
}

function grammarProblems(text: string): Problem[] {
  const lines = new TextLines(text);
  const found = new Map<number, Problem>();
  parser.parse(text).iterate({
    enter({ node, from, type }) {
      if (!type.isError || found.size >= MAX_PROBLEMS || isUnknownToParser(text, node)) return;
      const line = lines.numberAt(from);
      if (!found.has(line))
        found.set(line, { line, column: from - lines.start(line) + 1, message: 'invalid syntax' });
    },
  });
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
