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
    title: 'How-to',
    pages: [
      page('All tasks', 'docs/how-to/README.md'),
      page('Sessions', 'docs/how-to/sessions.md'),
      page('Change the conversation', 'docs/how-to/change.md'),
      page('Events', 'docs/how-to/events.md'),
      page('A chat element', 'docs/how-to/chat-element.md'),
      page('An inspector', 'docs/how-to/inspector.md'),
      page('AI SDK UI', 'docs/how-to/ai-sdk-ui.md'),
      page('Roles', 'docs/how-to/roles.md'),
      page('Options of a role', 'docs/how-to/options.md'),
      page('A team', 'docs/how-to/team.md'),
      page('Sub-agents', 'docs/how-to/sub-agents.md'),
      page('Skills', 'docs/how-to/skills.md'),
      page('Tools of your own', 'docs/how-to/tools.md'),
      page('MCP servers', 'docs/how-to/mcp.md'),
      page('WebMCP', 'docs/how-to/web-mcp.md'),
      page('A shell', 'docs/how-to/shell.md'),
      page('Programs', 'docs/how-to/programs.md'),
      page('A browser', 'docs/how-to/browser.md'),
      page('Web search', 'docs/how-to/search.md'),
      page('Checked edits', 'docs/how-to/edits.md'),
      page('Files', 'docs/how-to/files.md'),
      page('Approvals and limits', 'docs/how-to/approvals.md'),
      page('API keys', 'docs/how-to/keys.md'),
      page('Long-term memory', 'docs/how-to/memory.md'),
      page('Standing notes', 'docs/how-to/notes.md'),
      page('Experience', 'docs/how-to/experience.md'),
      page('Parts of a role', 'docs/how-to/parts.md'),
      page('Typed answers', 'docs/how-to/typed-answers.md'),
      page('Several models', 'docs/how-to/models.md'),
      page('Tests of a role', 'docs/how-to/test.md'),
      page('Tracing', 'docs/how-to/tracing.md'),
    ],
  },
  {
    title: 'Concepts',
    pages: [
      page('Models', 'docs/models.md'),
      page('Commands of a reply', 'docs/replies.md'),
      page('Browsers', 'docs/browsers.md'),
      page('Architecture', 'docs/architecture.md'),
      page('How a session is stored', 'docs/storage.md'),
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
      page('Names', 'docs/names.md'),
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
  if (!sources.has(source)) return null;
  if (source.startsWith('docs/')) return source.slice('docs/'.length).replace(/README\.md$/, 'index.md');
  return posix.basename(source).toLowerCase();
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
  const [, name, summary, rest] =
    /^# (.+)\n\n(?:\[!\[.*\n\n)?\*\*(.+?)\.?\*\* ([^]+?)\n\n/.exec(readme) ?? [];
  if (name === undefined || summary === undefined || rest === undefined)
    throw new Error('README.md must begin with a heading and a paragraph with its summary in bold.');
  return { name, summary, rest: rest.replaceAll('\n', ' ') };
}

/** A row of an index: the page relative to its folder, and its description. Pages that the npm package lacks have their address on GitHub. */
const ROW =
  /^\| \[[^\]]+\]\((?:https:\/\/github\.com\/rolezero\/rolezero\/blob\/main\/docs\/)?([\w/-]+\.md)\) \| (.+) \|$/gm;

/** Returns the description of each page of `docs/`, by its source: the second column of the table in the index of its folder. */
export function descriptions(): Map<string, string> {
  const rows = ['docs', 'docs/how-to'].flatMap((folder) => {
    const index = readFileSync(`${root}${folder}/README.md`, 'utf8');
    const found = index.matchAll(ROW);
    return [...found].map(([, name = '', text = '']): [string, string] => [`${folder}/${name}`, text]);
  });
  return new Map(rows);
}
