import { posix } from 'node:path';
import { sitePath } from './pages.js';

const REPOSITORY = 'https://github.com/rolezero/rolezero';
/** Address of the files on GitHub: pages, and raw files such as images. */
const OWN_FILE =
  /^https:\/\/(?:github\.com\/rolezero\/rolezero\/blob|raw\.githubusercontent\.com\/rolezero\/rolezero)\/main\//;

/**
 * Returns the target of a link as it is on the site. Links to pages lead to the page of the site; links to other files lead to GitHub.
 *
 * @param href Target as written in the file: relative to it, or absolute.
 * @param source Path of the file that contains the link, relative to the root.
 */
export function siteLink(href: string, source: string): string {
  const { file, anchor } = localFile(href, source) ?? {};
  if (file === undefined) return href;
  const target = sitePath(file);
  if (target === null) return `${REPOSITORY}/blob/main/${file}${anchor}`;
  const path = posix.relative(posix.dirname(sitePath(source) ?? source), target);
  return `${path.startsWith('.') ? path : `./${path}`}${anchor}`;
}

/** Returns the address of an image relative to the file that shows it, so that the site contains the image. */
export function siteImage(address: string, source: string): string {
  const { file } = localFile(address, source) ?? {};
  if (file === undefined) return address;
  const path = posix.relative(posix.dirname(source), file);
  return path.startsWith('.') ? path : `./${path}`;
}

/**
 * Returns the file of this repository that a link leads to, or null: a place on the same page, or another site.
 *
 * @returns `anchor` with `#`, or empty.
 */
export function localFile(href: string, source: string): { file: string; anchor: string } | null {
  const isOwn = OWN_FILE.test(href);
  if (href.startsWith('#') || (!isOwn && /^[a-z]+:/i.test(href))) return null;
  const [path = '', ...rest] = href.replace(OWN_FILE, '').split(/(?=#)/);
  const file = isOwn ? path : posix.join(posix.dirname(source), path);
  return { file: decodeURI(file), anchor: rest.join('') };
}

/** Returns a Markdown text with other targets of its links; code is not changed. */
export function mapLinks(text: string, map: (href: string) => string): string {
  return text.replaceAll(
    /^```[^]*?^```$|(`+)[^`][^]*?\1|\]\(([^)\s]+)/gm,
    (found, _ticks: string | undefined, href: string | undefined) =>
      href === undefined ? found : `](${map(href)}`,
  );
}

/** Returns the anchor of a heading, as GitHub generates it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}
