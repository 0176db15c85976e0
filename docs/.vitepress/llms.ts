import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mapLinks, siteLink } from './links.js';
import { descriptions, readmeLead, referencePages, root, SECTIONS, sitePath } from './pages.js';

/**
 * Writes what language models read: every page as Markdown beside its HTML, `llms.txt` with a list of the pages, and `llms-full.txt` with
 * the texts of all pages that are written by hand.
 *
 * @param folder Output folder of the site.
 */
export function writeTextsForModels(folder: string): void {
  const written = SECTIONS.flatMap(({ pages }) => pages.map(({ source }) => writeMarkdown(source, folder)));
  for (const source of referencePages()) writeMarkdown(source, folder);
  writeFileSync(join(folder, 'llms.txt'), overview());
  writeFileSync(join(folder, 'llms-full.txt'), written.join('\n\n'));
}

/** Writes the Markdown of a page with the links of the site. Returns it. */
function writeMarkdown(source: string, folder: string): string {
  const text = mapLinks(readFileSync(`${root}${source}`, 'utf8'), (href) => siteLink(href, source));
  const target = join(folder, sitePath(source) ?? source);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
  return text;
}

function overview(): string {
  const { name, summary, rest } = readmeLead();
  const about = descriptions();
  const sections = SECTIONS.map(({ title, pages }) => {
    const lines = pages.map(({ title: text, source }) => {
      const description = about.get(source);
      return `- [${text}](${sitePath(source) ?? source})${description === undefined ? '' : `: ${description}`}`;
    });
    return `## ${title}\n\n${lines.join('\n')}\n`;
  });
  return `# ${name}

> ${summary}. ${rest}

All pages in one file, without the reference: [llms-full.txt](llms-full.txt)

${sections.join('\n')}
## Reference

- [By entry point](reference/index.md): every export, with its doc comments
`;
}
