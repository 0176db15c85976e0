import { parser } from '@lezer/python';
import type { Linter, Problem } from '../../core/linter.js';
import { pythonProblems } from '../editor/syntax/python-syntax.js';
import { TextLines } from '../editor/text-lines.js';
import { linterFor, MAX_LINT_PROBLEMS } from './languages.js';

type Tree = ReturnType<typeof parser.parse>;
type SyntaxNode = Tree['topNode'];

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
      if (found.size >= MAX_LINT_PROBLEMS || isUnknownToParser(text, node)) return;
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
function isUnknownToParser(text: string, error: SyntaxNode): boolean {
  let node: SyntaxNode | null = error;
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
        return /\bin\s+\*|,\s*\*/u.test(lineAt(text, node.from));
    }
    node = node.parent;
  }
  return false;
}

function lineAt(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, end === -1 ? undefined : end);
}

// cspell:disable
/** Names that exist in every Python module. */
const BUILTIN = new Set(
  (
    'abs aiter all anext any ascii bin bool breakpoint bytearray bytes callable chr classmethod compile complex copyright credits delattr dict ' +
    'dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash help hex id input int isinstance ' +
    'issubclass iter len license list locals map max memoryview min next object oct open ord pow print property quit range repr reversed ' +
    'round set setattr slice sorted staticmethod str sum super tuple type vars zip Ellipsis NotImplemented WindowsError get_ipython ' +
    'ArithmeticError AssertionError AttributeError BaseException BaseExceptionGroup BlockingIOError BrokenPipeError BufferError ' +
    'BytesWarning ChildProcessError ConnectionAbortedError ConnectionError ConnectionRefusedError ConnectionResetError ' +
    'DeprecationWarning EOFError EncodingWarning EnvironmentError Exception ExceptionGroup FileExistsError FileNotFoundError ' +
    'FloatingPointError FutureWarning GeneratorExit IOError ImportError ImportWarning IndentationError IndexError InterruptedError ' +
    'IsADirectoryError KeyError KeyboardInterrupt LookupError MemoryError ModuleNotFoundError NameError NotADirectoryError ' +
    'NotImplementedError OSError OverflowError PendingDeprecationWarning PermissionError ProcessLookupError PythonFinalizationError ' +
    'RecursionError ReferenceError ResourceWarning RuntimeError RuntimeWarning StopAsyncIteration StopIteration SyntaxError SyntaxWarning ' +
    'SystemError SystemExit TabError TimeoutError TypeError UnboundLocalError UnicodeDecodeError UnicodeEncodeError UnicodeError ' +
    'UnicodeTranslateError UnicodeWarning UserWarning ValueError Warning ZeroDivisionError reveal_type'
  ).split(' '),
);
/** Texts that can bind names in ways that the tree does not show, or that handle missing names themselves. */
const DYNAMIC_NAMES =
  /\bimport\s*\*|\b(?:exec|globals|locals|vars|setattr|NameError)\b|__builtins__|\bbuiltins\b/u;
// cspell:enable
/** Parents whose names are read, not bound. */
const READING = new Set(
  (
    'CallExpression MemberExpression BinaryExpression UnaryExpression ConditionalExpression AwaitExpression YieldExpression ' +
    'ExpressionStatement ReturnStatement YieldStatement RaiseStatement AssertStatement IfStatement WhileStatement TypeDef ' +
    'FormatReplacement SetExpression DictionaryExpression'
  ).split(' '),
);
/** Parents whose names have the role of the whole. */
const GROUPING = new Set(['TupleExpression', 'ArrayExpression', 'ParenthesizedExpression']);

/**
 * Finds names that are read in a module without syntax errors, but bound nowhere in it. Does not consider scopes or order, so that correct
 * code has no problem.
 */
function undefinedNames(text: string, tree: Tree): { name: string; from: number }[] {
  if (DYNAMIC_NAMES.test(text)) return [];
  const bound = new Set<string>();
  const read: { name: string; from: number }[] = [];
  tree.iterate({
    enter({ node, type, from, to }) {
      if (type.name !== 'VariableName') return;
      const name = text.slice(from, to);
      if (isRead(node)) read.push({ name, from });
      else bound.add(name);
    },
  });
  return read.filter(
    ({ name }) => !bound.has(name) && !BUILTIN.has(name) && /^(?!_$|__\w+__$)[\p{L}_]/u.test(name),
  );
}

/** Returns whether a name is certainly read at a place. */
function isRead(node: SyntaxNode): boolean {
  const { parent } = node;
  if (parent === null) return false;
  if (READING.has(parent.name)) return true;
  if (GROUPING.has(parent.name)) return isRead(parent);
  if (closestToken(node, ['for', 'in', 'if']) === 'for') return false; // the target of a comprehension or a loop
  if (parent.name.endsWith('ComprehensionExpression')) return true;
  switch (parent.name) {
    case 'ArgList':
      return node.nextSibling?.name !== 'AssignOp';
    case 'ParamList':
      return node.prevSibling?.name === 'AssignOp';
    case 'AssignStatement':
    case 'NamedExpression':
      return follows(node, 'AssignOp') && !precedes(node, 'AssignOp');
    case 'UpdateStatement':
      return follows(node, 'UpdateOp');
    case 'ForStatement':
      return follows(node, 'in');
    case 'LambdaExpression':
      return follows(node, ':');
    case 'WithStatement':
    case 'TryStatement':
      return closestToken(node, ['as', ',', 'with', 'except']) !== 'as';
    case 'Decorator':
    case 'ClassPattern':
      return node.prevSibling?.name !== '.';
    default:
      return false;
  }
}

/** Returns the nearest of these tokens before a node. */
function closestToken(node: SyntaxNode, tokens: readonly string[]): string | undefined {
  for (let before = node.prevSibling; before !== null; before = before.prevSibling)
    if (tokens.includes(before.name)) return before.name;
  return undefined;
}

function follows(node: SyntaxNode, token: string): boolean {
  return closestToken(node, [token]) !== undefined;
}

function precedes(node: SyntaxNode, token: string): boolean {
  for (let after = node.nextSibling; after !== null; after = after.nextSibling)
    if (after.name === token) return true;
  return false;
}
