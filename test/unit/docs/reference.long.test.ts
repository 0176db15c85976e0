import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publicEntries } from '../../../scripts/public-entries.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Returns the Markdown pages in a folder by their paths. */
function readPages(folder: string): Map<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.md'),
  );
  return new Map(paths.map((path) => [path.split(sep).join('/'), readFileSync(join(folder, path), 'utf8')]));
}

/** Returns the text without code, in which brackets are not links. */
function withoutCode(page: string): string {
  return page.replaceAll(/^```[^]*?^```$/gm, '').replaceAll(/(`+)[^`][^]*?\1/g, '');
}

/** Returns the places that links can point to. */
function anchorsOf(page: string): Set<string> {
  return new Set([...page.matchAll(/<a id="([^"]+)"/g)].map(([, id = '']) => id));
}

describe('R-281 the reference of the documentation site', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rolezero-reference-'));
  let output = '';
  let pages = new Map<string, string>();

  beforeAll(() => {
    const args = ['scripts/run.mjs', 'scripts/reference.ts', folder];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    output = `${status} ${stdout}${stderr}`;
    pages = readPages(folder);
  }, 240_000);

  afterAll(() => rmSync(folder, { recursive: true }));

  it('is generated without a warning', () => {
    expect(output).toBe('0 ');
  });

  it('has an index and a page for each entry point', () => {
    const expected = ['README.md', ...[...publicEntries().keys()].map((name) => `${name}.md`)];
    expect([...pages.keys()].toSorted()).toEqual(expected.toSorted());
    const linked = [...(pages.get('README.md') ?? '').matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path);
    expect(['README.md', ...linked].toSorted()).toEqual(expected.toSorted());
  });

  it('has links that resolve, to the page and to the place in it', () => {
    let count = 0;
    const broken = [...pages].flatMap(([path, page]) =>
      [...withoutCode(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(
        ([link, target = '', anchor]) => {
          count++;
          const found = pages.get(target === '' ? path : posix.join(posix.dirname(path), target));
          const resolves = found !== undefined && (anchor === undefined || anchorsOf(found).has(anchor));
          return resolves ? [] : [`${path}: ${link}`];
        },
      ),
    );
    expect(broken).toEqual([]);
    expect(count).toBeGreaterThan(500);
  });

  it('contains the doc comments of the source', () => {
    expect(pages.get('rolezero/embedders/openai.md')).toContain('Maximum number of texts per request.');
  });
});
