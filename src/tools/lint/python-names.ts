import type { parser } from '@lezer/python';

type Tree = ReturnType<typeof parser.parse>;
type Node = Tree['topNode'];

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
const UNKNOWN = /\bimport\s*\*|\b(?:exec|globals|locals|vars|setattr|NameError)\b|__builtins__|\bbuiltins\b/u;

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
const GROUPS = new Set(['TupleExpression', 'ArrayExpression', 'ParenthesizedExpression']);

/**
 * Finds names that are read in a module without syntax errors, but bound nowhere in it. Does not consider scopes or order, so that correct
 * code has no problem.
 */
export function undefinedNames(text: string, tree: Tree): { name: string; from: number }[] {
  if (UNKNOWN.test(text)) return [];
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
function isRead(node: Node): boolean {
  const { parent } = node;
  if (parent === null) return false;
  if (READING.has(parent.name)) return true;
  if (GROUPS.has(parent.name)) return isRead(parent);
  if (closest(node, ['for', 'in', 'if']) === 'for') return false; // the target of a comprehension or a loop
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
      return closest(node, ['as', ',', 'with', 'except']) !== 'as';
    case 'Decorator':
    case 'ClassPattern':
      return node.prevSibling?.name !== '.';
    default:
      return false;
  }
}

/** Returns the nearest of these tokens before a node. */
function closest(node: Node, tokens: readonly string[]): string | undefined {
  for (let before = node.prevSibling; before !== null; before = before.prevSibling)
    if (tokens.includes(before.name)) return before.name;
  return undefined;
}

function follows(node: Node, token: string): boolean {
  return closest(node, [token]) !== undefined;
}

function precedes(node: Node, token: string): boolean {
  for (let after = node.nextSibling; after !== null; after = after.nextSibling)
    if (after.name === token) return true;
  return false;
}
