import { readFileSync } from 'node:fs';
import { browserAlias } from '../../scripts/aliases.js';
import { publicEntries } from '../../scripts/public-entries.mjs';
import { anchorOf } from './links.js';
import { writeTextsForModels } from './llms.js';
import { adaptMarkdown } from './markdown.js';
import { descriptions, readmeLead, REFERENCE, root, SECTIONS, sitePath } from './pages.js';
import { search } from './search.js';

const REPOSITORY = 'https://github.com/rolezero/rolezero';
const { name, summary, rest } = readmeLead();
const about = descriptions();
/** Inline, because the site has no folder with static files. */
const icon = `data:image/svg+xml,${encodeURIComponent(readFileSync(`${root}demo/public/icon.svg`, 'utf8'))}`;

const linkTo = (path: string): string => `/${path.replace(/(?:index)?\.md$/, '')}`;

/** The sidebar: pages that are written by hand, then the reference of each entry point. */
const sidebar = [
  ...SECTIONS.map(({ title, pages }) => ({
    text: title,
    items: pages.map(({ title: text, source }) => ({ text, link: linkTo(sitePath(source) ?? source) })),
  })),
  { text: 'Reference', link: '/reference/', collapsed: true, items: entryPoints() },
];

function entryPoints(): { text: string; link: string }[] {
  return [...publicEntries().keys()].map((entry) => ({ text: entry, link: `/reference/${entry}` }));
}

/** The start page: the lead of the README and links to begin with; the rest of the README follows. */
const home = {
  layout: 'home',
  titleTemplate: summary,
  hero: {
    name,
    text: summary,
    tagline: rest,
    actions: [
      { theme: 'brand', text: 'Guide', link: '/guide' },
      { theme: 'alt', text: 'Start in your framework', link: '/start' },
      { theme: 'alt', text: 'GitHub', link: REPOSITORY },
    ],
  },
};

/** The part of a page's data that is used here. */
interface PageData {
  filePath: string;
  title: string;
  description: string;
  frontmatter: Record<string, unknown>;
}

/** The documentation site. Its pages are the Markdown files of the repository; `pages.ts` lists them. */
export default {
  title: name,
  description: `${summary}. ${rest}`,
  lang: 'en-US',
  srcDir: '..',
  srcExclude: [
    '{create,demo,scripts,src,test}/**',
    'reports/!(reference)/**',
    'docs/{README,api,benchmarks/*}.md',
  ],
  rewrites: (source: string) => sitePath(source) ?? source,
  outDir: '../reports/site',
  cacheDir: '../node_modules/.cache/vitepress',
  head: [['link', { rel: 'icon', href: icon }]],
  ignoreDeadLinks: 'localhostLinks',
  router: { prefetchLinks: false }, // pages of the reference are large
  markdown: {
    anchor: { slugify: anchorOf },
    config: adaptMarkdown,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  // The live examples run the sources.
  vite: { resolve: { alias: browserAlias }, worker: { format: 'es' as const } },
  themeConfig: {
    logo: icon,
    nav: [
      { text: 'Guide', link: '/guide' },
      { text: 'Start', link: '/start' },
      { text: 'How-to', link: '/how-to/' },
      { text: 'Reference', link: '/reference/' },
      { text: 'Troubleshooting', link: '/errors' },
      { text: 'GitHub', link: REPOSITORY },
    ],
    sidebar,
    outline: 'deep',
    search,
    editLink: { pattern: `${REPOSITORY}/edit/main/:path`, text: 'Edit this page on GitHub' },
    footer: { message: 'MIT license' },
    notFound: {
      title: 'Page not found',
      quote: 'The address may have changed. Search for the topic, or begin at the start page.',
      linkText: 'Start page',
      linkLabel: 'Start page',
    },
  },
  transformPageData(page: PageData) {
    if (page.filePath === 'README.md') {
      page.title = name;
      page.frontmatter = { ...page.frontmatter, ...home };
    }
    page.description = about.get(page.filePath) ?? page.description;
    if (page.filePath.startsWith(`${REFERENCE}/`))
      page.frontmatter = { ...page.frontmatter, editLink: false, outline: [2, 3] };
  },
  buildEnd({ outDir }: { outDir: string }) {
    writeTextsForModels(outDir);
  },
};
