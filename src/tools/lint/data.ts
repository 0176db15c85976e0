import { LineCounter, parseAllDocuments } from 'yaml';
import type { Linter, Problem } from '../../core/linter.js';
import { linterFor, moved } from './languages.js';

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
