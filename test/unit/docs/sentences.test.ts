import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Marked, type Token, type Tokens } from 'marked';
import { describe, expect, it } from 'vitest';
import { documents } from './snippets.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const marked = new Marked();
const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** Maximum number of words in a sentence. */
const MAX_WORDS = 30;

/** Documents with prose. `docs/coverage.md` lists titles of tests. */
const files = [...documents, 'CONTRIBUTING.md', 'SECURITY.md'].filter(
  (file) => !['docs/coverage.md', 'docs/api.md'].includes(file),
);

/** The text of a token as a reader sees it. Code counts as one word. */
function plain(token: Token): string {
  if (token.type === 'codespan') return 'Code';
  if (token.type === 'html') return '';
  if ('tokens' in token && token.tokens !== undefined) return token.tokens.map(plain).join('');
  return 'text' in token && typeof token.text === 'string' ? token.text : '';
}

/** The paragraphs, list items and table cells of a Markdown text. A cell lists phrases, which semicolons separate. */
function passages(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) => {
    switch (token.type) {
      case 'paragraph':
      case 'text':
      case 'heading':
        return [plain(token)];
      case 'list':
        return (token as Tokens.List).items.flatMap((item) => passages(item.tokens));
      case 'blockquote':
        return passages((token as Tokens.Blockquote).tokens);
      case 'table': {
        const { header, rows } = token as Tokens.Table;
        return [header, ...rows].flat().flatMap((cell) => cell.tokens.map(plain).join('').split(';'));
      }
      default:
        return [];
    }
  });
}

function longSentences(text: string): string[] {
  return passages(marked.lexer(text)).flatMap((passage) =>
    Array.from(segmenter.segment(passage), ({ segment }) => segment.trim()).filter(
      (sentence) => sentence.split(/\s+/).filter((word) => /\w/.test(word)).length > MAX_WORDS,
    ),
  );
}

describe('a sentence of the documentation', () => {
  it.each(files)(`has at most ${MAX_WORDS} words in %s`, (file) => {
    expect(longSentences(readFileSync(root + file, 'utf8'))).toEqual([]);
  });

  it('is found when it is longer', () => {
    const sentence = `Here are ${'word '.repeat(MAX_WORDS - 2)}at last.`;
    expect(longSentences(`# Title\n\nShort. ${sentence}\n\n* item\n\n  > ${sentence}\n`)).toEqual([
      sentence,
      sentence,
    ]);
    expect(longSentences(`| a |\n|---|\n| ${sentence} |`)).toEqual([sentence]);
    expect(longSentences(`${'`word word` '.repeat(MAX_WORDS - 1)}end.`)).toEqual([]);
  });
});
