import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Marked, type Token, type Tokens } from 'marked';
import { describe, expect, it } from 'vitest';
import { anchorOf, localFile, mapLinks, siteImage, siteLink } from '../../../docs/.vitepress/links.js';
import { readmeLead, SECTIONS, sitePath } from '../../../docs/.vitepress/pages.js';
import { documents } from './snippets.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const marked = new Marked();

/** Every Markdown file that users or contributors read, except the generated reference. */
const files = [...documents, 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'];

interface Contents {
  anchors: Set<string>;
  links: string[];
}

const known = new Map<string, Contents>();

function contentsOf(file: string): Contents {
  const found = known.get(file) ?? readContents(readFileSync(root + file, 'utf8'));
  known.set(file, found);
  return found;
}

function readContents(text: string): Contents {
  const anchors = new Set<string>();
  const links: string[] = [];
  void marked.walkTokens(marked.lexer(text), (token: Token) => {
    if (token.type === 'heading') addAnchor(anchors, anchorOf(plainText((token as Tokens.Heading).tokens)));
    if (token.type === 'link' || token.type === 'image') links.push((token as Tokens.Link).href);
    if (token.type !== 'html') return;
    for (const [, href = ''] of token.raw.matchAll(/(?:href|src)="([^"]+)"/g)) links.push(href);
    for (const [, id = ''] of token.raw.matchAll(/id="([^"]+)"/g)) anchors.add(id);
  });
  return { anchors, links };
}

/** Adds an anchor. GitHub numbers equal headings. */
function addAnchor(anchors: Set<string>, anchor: string): void {
  let unique = anchor;
  for (let number = 1; anchors.has(unique); number++) unique = `${anchor}-${number}`;
  anchors.add(unique);
}

function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) =>
      'tokens' in token && token.tokens ? plainText(token.tokens) : 'text' in token ? String(token.text) : '',
    )
    .join('');
}

describe('the links of the documentation', () => {
  it('lead to files and headings that exist', () => {
    let count = 0;
    const broken = files.flatMap((source) =>
      contentsOf(source).links.flatMap((href) => {
        const { file, anchor } = href.startsWith('#')
          ? { file: source, anchor: href }
          : (localFile(href, source) ?? { file: '', anchor: '' });
        if (file === '') return [];
        count++;
        const exists =
          existsSync(root + file) && (anchor === '' || contentsOf(file).anchors.has(anchor.slice(1)));
        return exists ? [] : [`${source}: ${href}`];
      }),
    );
    expect(broken).toEqual([]);
    expect(count).toBeGreaterThan(100);
  });

  it('finds anchors as GitHub generates them', () => {
    const text =
      '# A `b`: _c_ (d)\n\n## 1. A page\n\n## Same\n\n## Same\n\n```md\n# code\n[code](no.md)\n```\n[`x`](y.md)\n';
    expect(readContents(text)).toEqual({
      anchors: new Set(['a-b-c-d', '1-a-page', 'same', 'same-1']),
      links: ['y.md'],
    });
  });
});

describe('the documentation site', () => {
  it('has each page of docs in its navigation, and only files that exist', () => {
    const sources = SECTIONS.flatMap(({ pages }) => pages.map(({ source }) => source));
    expect(new Set(sources).size).toBe(sources.length);
    expect(sources.filter((source) => !existsSync(root + source))).toEqual([]);
    const pages = documents.filter((name) => !['docs/README.md', 'docs/api.md'].includes(name));
    expect(pages.filter((page) => !sources.includes(page))).toEqual([]);
  });

  it('gives every page its own path', () => {
    const paths = SECTIONS.flatMap(({ pages }) => pages.map(({ source }) => sitePath(source)));
    expect(paths).not.toContain(null);
    expect(new Set(paths).size).toBe(paths.length);
    expect(sitePath('docs/README.md')).toBe('index.md');
    expect(sitePath('docs/api.md')).toBe('reference/index.md');
    expect(sitePath('reports/reference/README.md')).toBe('reference/index.md');
    expect(sitePath('reports/reference/rolezero/worker.md')).toBe('reference/rolezero/worker.md');
    expect(sitePath('src/README.md')).toBeNull();
  });

  it.each([
    ['guide.md#1-a-page', 'docs/start.md', './guide.md#1-a-page'],
    ['../README.md', 'docs/start.md', './index.md'],
    ['docs/how-to/keys.md#proxy', 'README.md', './how-to/keys.md#proxy'],
    ['../guide.md', 'docs/how-to/team.md', '../guide.md'],
    ['README.md', 'docs/how-to/team.md', './index.md'],
    ['../../CHANGELOG.md', 'docs/how-to/team.md', '../changelog.md'],
    ['https://github.com/rolezero/rolezero/blob/main/docs/threat-model.md', 'README.md', './threat-model.md'],
    ['../CHANGELOG.md', 'docs/README.md', './changelog.md'],
    ['../test/unit/docs', 'docs/faq.md', 'https://github.com/rolezero/rolezero/blob/main/test/unit/docs'],
    ['worker.md', 'reports/reference/rolezero/spawn.md', './worker.md'],
    ['#here', 'docs/faq.md', '#here'],
    ['https://example.com/a.md', 'docs/faq.md', 'https://example.com/a.md'],
  ])('turns the link %s of %s into %s', (href, source, expected) => {
    expect(siteLink(href, source)).toBe(expected);
  });

  it('shows images of the repository from its own files', () => {
    const raw = 'https://raw.githubusercontent.com/rolezero/rolezero/main/docs/images/demo.webp';
    expect(siteImage(raw, 'README.md')).toBe('./docs/images/demo.webp');
    expect(siteImage('images/demo.webp', 'docs/start.md')).toBe('./images/demo.webp');
  });

  it('changes links in text, and no code', () => {
    const text =
      '[a](x.md) `[b](x.md)` ``[c](x.md) ` `` [`d`](x.md "t")\n```md\n[e](x.md)\n```\n![f](x.md)\n';
    expect(mapLinks(text, () => 'y')).toBe(
      text.replace('[a](x.md)', '[a](y)').replace('[`d`](x.md', '[`d`](y').replace('![f](x.md)', '![f](y)'),
    );
  });
});

it('the start page of the site has its words from the README, behind the badge', () => {
  expect(readmeLead()).toMatchObject({
    name: 'rolezero',
    summary: expect.stringContaining('agent') as string,
  });
});
