import { parser as cssParser } from '@lezer/css';
import { parser as htmlParser } from '@lezer/html';
import type { Linter, Problem } from '../../core/linter.js';
import { TextLines } from '../editor/text-lines.js';
import { jsonProblems } from '../editor/syntax/json-syntax.js';
import { linterFor, MAX_LINT_PROBLEMS, moved } from './languages.js';
import { scriptProblems } from './scripts.js';

type MarkupTree = ReturnType<typeof cssParser.parse>;
type MarkupNode = MarkupTree['topNode'];

const MAX_QUOTED_MARKUP = 30;
/** End tags that browsers accept without a start tag. */
const LONE_END_TAG = /^<\/(?:p|br)\b/iu;

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
