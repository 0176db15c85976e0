import { readdirSync, readFileSync } from 'node:fs';
import { posix, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Folder of the reference, relative to the root; `npm run docs` generates its pages. */
export const REFERENCE = 'reports/reference';

/** A page of the site that is written by hand. */
export interface Page {
  title: string;
  /** Markdown file, relative to the root. */
  source: string;
}

const page = (title: string, source: string): Page => ({ title, source });

/** All pages that are written by hand, in the order of the navigation. */
export const SECTIONS: readonly { title: string; pages: readonly Page[] }[] = [
  {
    title: 'Introduction',
    pages: [
      page('Overview', 'README.md'),
      page('Start', 'docs/start.md'),
      page('Guide', 'docs/guide.md'),
      page('Live examples', 'docs/live.md'),
      page('For coding agents', 'AGENTS.md'),
    ],
  },
  {
    title: 'Tasks',
    pages: [
      page('How-to', 'docs/how-to.md'),
      page('Recipes', 'docs/recipes.md'),
      page('Models', 'docs/models.md'),
      page('Browsers', 'docs/browsers.md'),
    ],
  },
  {
    title: 'Concepts',
    pages: [
      page('Architecture', 'docs/architecture.md'),
      page('Durability', 'docs/durability.md'),
      page('Tests of durability', 'docs/durability-tests.md'),
      page('Safety: threat model', 'docs/threat-model.md'),
    ],
  },
  {
    title: 'Help',
    pages: [
      page('Troubleshooting', 'docs/errors.md'),
      page('Questions and limits', 'docs/faq.md'),
      page('Comparison', 'docs/comparison.md'),
      page('Benchmarks', 'docs/benchmarks.md'),
    ],
  },
  {
    title: 'Project',
    pages: [
      page('Changelog', 'CHANGELOG.md'),
      page('Contributing', 'CONTRIBUTING.md'),
      page('Security', 'SECURITY.md'),
      page('Requirements', 'docs/coverage.md'),
    ],
  },
];

const sources = new Set(SECTIONS.flatMap(({ pages }) => pages.map(({ source }) => source)));

/**
 * Returns the path of a Markdown file on the site, such as `guide.md` for `docs/guide.md`. Returns null for a file that is no page.
 *
 * @param source Path relative to the root.
 */
export function sitePath(source: string): string | null {
  // The navigation of the site replaces the index of the folder, and the reference replaces the bare declarations.
  if (source === 'README.md' || source === 'docs/README.md') return 'index.md';
  if (source === 'docs/api.md') return 'reference/index.md';
  if (source.startsWith(`${REFERENCE}/`))
    return source.replace(`${REFERENCE}/`, 'reference/').replace(/README\.md$/, 'index.md');
  return sources.has(source) ? posix.basename(source).toLowerCase() : null;
}

/** Returns the sources of the reference, which `npm run docs` generates. */
export function referencePages(): string[] {
  return readdirSync(`${root}${REFERENCE}`, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => `${REFERENCE}/${path.split(sep).join('/')}`);
}

/** Returns the first paragraph of the README in its parts. */
export function readmeLead(): { name: string; summary: string; rest: string } {
  const readme = readFileSync(`${root}README.md`, 'utf8');
  const [, name, summary, rest] = /^# (.+)\n\n\*\*(.+?)\.?\*\* ([^]+?)\n\n/.exec(readme) ?? [];
  if (name === undefined || summary === undefined || rest === undefined)
    throw new Error('README.md must begin with a heading and a paragraph with its summary in bold.');
  return { name, summary, rest: rest.replaceAll('\n', ' ') };
}

/** Returns the description of each page of `docs/`, by its source: the second column of the table in its index. */
export function descriptions(): Map<string, string> {
  const index = readFileSync(`${root}docs/README.md`, 'utf8');
  return new Map(
    [...index.matchAll(/^\| \[[^\]]+\]\(([\w-]+\.md)\) \| (.+) \|$/gm)].map(([, name = '', text = '']) => [
      `docs/${name}`,
      text,
    ]),
  );
}
