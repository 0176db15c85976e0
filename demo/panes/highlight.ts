import { cssLanguage } from '@codemirror/lang-css';
import { htmlLanguage } from '@codemirror/lang-html';
import {
  javascriptLanguage,
  jsxLanguage,
  tsxLanguage,
  typescriptLanguage,
} from '@codemirror/lang-javascript';
import { jsonLanguage } from '@codemirror/lang-json';
import { markdownLanguage } from '@codemirror/lang-markdown';
import { pythonLanguage } from '@codemirror/lang-python';
import { classHighlighter, highlightCode } from '@lezer/highlight';
import type { Renderers } from 'rolezero/element/markdown';

const LANGUAGES = new Map([
  ...['js', 'javascript', 'mjs'].map((name) => [name, javascriptLanguage] as const),
  ...['ts', 'typescript'].map((name) => [name, typescriptLanguage] as const),
  ['jsx', jsxLanguage],
  ['tsx', tsxLanguage],
  ['json', jsonLanguage],
  ['css', cssLanguage],
  ...['html', 'xml', 'svg', 'vue', 'svelte'].map((name) => [name, htmlLanguage] as const),
  ...['py', 'python'].map((name) => [name, pythonLanguage] as const),
  ...['md', 'markdown'].map((name) => [name, markdownLanguage] as const),
]);

/** Colors code with the parsers of the editor. */
export const highlight: Renderers['highlight'] = (code, language) => {
  const parser = LANGUAGES.get(language.toLowerCase())?.parser;
  if (parser === undefined) return null;
  const pieces: { text: string; kind: string }[] = [];
  highlightCode(
    code,
    parser.parse(code),
    classHighlighter,
    (text, kind) => pieces.push({ text, kind }),
    () => pieces.push({ text: '\n', kind: '' }),
  );
  return pieces;
};
