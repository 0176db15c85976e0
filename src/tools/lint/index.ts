import { parse, type ParserPlugin } from '@babel/parser';
import { parser as cssParser } from '@lezer/css';
import { parser as htmlParser } from '@lezer/html';
import { LineCounter, parseAllDocuments } from 'yaml';
import { defined } from '../../core/defined.js';
import { isRecord } from '../../core/json.js';
import type { Linter, Problem } from '../../core/linter.js';
import { jsonProblems } from '../editor/syntax/json-syntax.js';
import { TextLines } from '../editor/text-lines.js';
import { linterFor, MAX_LINT_PROBLEMS, moved } from './languages.js';
import { python } from './python.js';

type MarkupTree = ReturnType<typeof cssParser.parse>;
type MarkupNode = MarkupTree['topNode'];

const MAX_QUOTED_MARKUP = 30;
/** End tags that browsers accept without a start tag. */
const LONE_END_TAG = /^<\/(?:p|br)\b/iu;

type SourceType = 'module' | 'script';
interface Language {
  /** A text is valid if it is valid as one of these kinds. */
  kinds: [SourceType, ...SourceType[]];
  plugins: ParserPlugin[];
}

/** Parameter decorators require TypeScript's legacy decorators. That plugin also accepts the newer decorators. */
const TYPED_PLUGINS: ParserPlugin[] = ['typescript', 'decorators-legacy'];
const LANGUAGES: Record<string, Language> = {
  js: { kinds: ['module', 'script'], plugins: ['jsx', 'decorators'] },
  jsx: { kinds: ['module', 'script'], plugins: ['jsx', 'decorators'] },
  mjs: { kinds: ['module'], plugins: ['jsx', 'decorators'] },
  cjs: { kinds: ['script'], plugins: ['jsx', 'decorators'] },
  ts: { kinds: ['module'], plugins: TYPED_PLUGINS },
  mts: { kinds: ['module'], plugins: TYPED_PLUGINS },
  cts: { kinds: ['module'], plugins: TYPED_PLUGINS }, // may contain imports, like a module
  tsx: { kinds: ['module'], plugins: [...TYPED_PLUGINS, 'jsx'] },
};

export type { Linter } from '../../core/linter.js';
export { python };

/**
 * Syntax checks for JavaScript, TypeScript, JSX, CSS, HTML, YAML, Markdown front matter, and Python. This is a separate entry point because
 * its parsers are larger than the rest of the package. To include fewer parsers, import only `scripts`, `styles`, `pages`, `data` or
 * `python`. The editor itself checks JSON and the shape of Python.
 *
 * @example editor({ linters: lint() })
 */
export function lint(): Linter[] {
  return [scripts(), styles(), pages(), data(), python()];
}

/** Checks the syntax of JavaScript and TypeScript, with JSX (`@babel/parser`). */
export function scripts(): Linter {
  return linterFor(Object.keys(LANGUAGES), scriptProblems);
}

/** Returns the problems of a script. `ending` determines the language. */
function scriptProblems(text: string, ending: string): Problem[] {
  const language = LANGUAGES[ending];
  if (language === undefined) return [];
  const [first = [], ...others] = language.kinds.map((kind) => parseProblems(text, kind, language.plugins));
  return others.some((problems) => problems.length === 0) ? [] : first;
}

function parseProblems(text: string, sourceType: SourceType, plugins: ParserPlugin[]): Problem[] {
  try {
    const { errors } = parse(text, {
      sourceType,
      errorRecovery: true,
      allowAwaitOutsideFunction: true,
      allowReturnOutsideFunction: true,
      allowUndeclaredExports: true, // the next edit may add the declarations
      plugins: [...plugins, 'explicitResourceManagement'],
    });
    return (errors ?? []).map(syntaxProblem);
  } catch (error) {
    return [syntaxProblem(error)];
  }
}

/** @throws any error that is not a syntax error */
function syntaxProblem(error: unknown): Problem {
  const place = isRecord(error) ? error['loc'] : undefined;
  if (!(error instanceof SyntaxError) || !isRecord(place) || typeof place['line'] !== 'number') throw error;
  const message = error.message.replace(/ \(\d+:\d+\)$/u, '');
  const column = place['column'];
  return {
    line: place['line'],
    ...defined({ column: typeof column === 'number' ? column + 1 : undefined }),
    message,
  };
}

/** Checks the syntax of style sheets (`@lezer/css`). */
export function styles(): Linter {
  return linterFor(['css'], styleProblems);
}

/** Checks the syntax of pages and of their scripts and styles (`@lezer/html`). Omitted tags that HTML makes optional are not problems. */
export function pages(): Linter {
  return linterFor(['html', 'htm'], pageProblems);
}

function styleProblems(text: string): Problem[] {
  const errors: MarkupNode[] = [];
  cssParser.parse(text).iterate({
    enter: ({ node }) => {
      if (node.type.isError) errors.push(node);
    },
  });
  return problemsAt(text, errors);
}

function pageProblems(text: string): Problem[] {
  const errors: MarkupNode[] = [];
  const inside: Problem[] = [];
  const lines = new TextLines(text);
  htmlParser.parse(text).iterate({
    enter: ({ node }) => {
      if (node.type.isError) errors.push(node);
      if (node.name === 'MismatchedCloseTag' && !LONE_END_TAG.test(text.slice(node.from, node.to)))
        errors.push(node);
      if (node.name !== 'ScriptText' && node.name !== 'StyleText') return;
      const line = lines.numberAt(node.from);
      inside.push(...moved(embeddedProblems(text, node), line, node.from - lines.start(line) + 1));
    },
  });
  return [...problemsAt(text, errors), ...inside].sort((a, b) => a.line - b.line);
}

/** Checks the content of a `script` or `style` element. */
function embeddedProblems(text: string, content: MarkupNode): Problem[] {
  const source = text.slice(content.from, content.to);
  if (content.name === 'StyleText') return styleProblems(source);
  const start = content.prevSibling;
  const tag = start === null ? '' : text.slice(start.from, start.to);
  const type = /\stype\s*=\s*["']?([^"'\s>]*)/iu.exec(tag)?.[1]?.toLowerCase() ?? '';
  if (type === 'module') return scriptProblems(source, 'mjs');
  if (type === '' || /javascript$/u.test(type)) return scriptProblems(source, 'cjs');
  return /^(?:importmap|speculationrules|application\/(?:ld\+)?json)$/u.test(type)
    ? jsonProblems(source)
    : [];
}

function problemsAt(text: string, nodes: readonly MarkupNode[]): Problem[] {
  const lines = new TextLines(text);
  return nodes.slice(0, MAX_LINT_PROBLEMS).map(({ from, to, name }) => {
    const line = lines.numberAt(from);
    return { line, column: from - lines.start(line) + 1, message: describeError(text, from, to, name) };
  });
}

function describeError(text: string, from: number, to: number, name: string): string {
  const rest = text.slice(from, from + MAX_QUOTED_MARKUP).trim();
  const quoted = `"${/^<\/?[\w-]*>?|^[\w-]+|^./u.exec(rest)?.[0] ?? ''}"`;
  if (rest === '') return 'the text ends too early: something before is not closed';
  if (name === 'MismatchedCloseTag') return `${quoted} closes nothing that is open`;
  return from === to ? `something is missing before ${quoted}` : `unexpected ${quoted}`;
}

/** Checks the syntax of YAML, and of YAML front matter in Markdown (`yaml`). */
export function data(): Linter {
  return linterFor(['yaml', 'yml', 'md', 'markdown'], (text, ending) =>
    ending.startsWith('y') ? yamlProblems(text) : frontMatterProblems(text),
  );
}

function yamlProblems(text: string): Problem[] {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false, logLevel: 'silent' });
  if ('empty' in documents) return [];
  return documents
    .flatMap(({ errors }) => errors)
    .map(({ pos, message }) => {
      const { line, col } = lines.linePos(pos[0]);
      return { line: Math.max(line, 1), column: Math.max(col, 1), message };
    });
}

/** Checks only the text between lines of three dashes at the very beginning. The rest is Markdown. */
function frontMatterProblems(text: string): Problem[] {
  const front = /^\ufeff?---[ \t]*\r?\n/u.exec(text)?.[0];
  if (front === undefined) return [];
  const end = text.slice(front.length - 1).search(/\n---[ \t]*(?:\r?\n|$)/u);
  return end === -1 ? [] : moved(yamlProblems(text.slice(front.length, front.length + end)), 2, 1);
}
