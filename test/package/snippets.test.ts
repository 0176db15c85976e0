import { expect, test } from 'vitest';
import { documents, problemsOf, snippetsOf } from '../unit/docs/snippets.js';

test('the README and the pages of docs show code that compiles', () => {
  const snippets = documents.map((document) => ({ document, snippets: snippetsOf(document) }));
  const enough = {
    'README.md': 1,
    'docs/start.md': 3,
    'docs/guide.md': 6,
    'docs/how-to/sessions.md': 4,
    'docs/how-to/tools.md': 3,
  };
  for (const [document, least] of Object.entries(enough)) {
    const shown = snippets.find((one) => one.document === document)?.snippets.length;
    expect(shown, document).toBeGreaterThan(least);
  }
  // In the same program: a second one takes as long as the first.
  const wrong = { where: 'here:1', language: 'tsx', code: 'const number: number = <p>one</p>;' } as const;
  expect(problemsOf([...snippets.flatMap((one) => one.snippets), wrong])).toEqual([
    expect.stringMatching(/^here:1 \+0: .* is not assignable/),
  ]);
}, 240_000);
