import type { State } from './app-state.js';

/** Returns the page among files to open first: an index page, otherwise the newest, which is the last. Without a page it is the newest picture that the user has not attached. */
export function mainPage(paths: readonly string[]): string | undefined {
  return (
    paths.find((path) => path.endsWith('/index.html')) ??
    paths.findLast((path) => /\.html?$/i.test(path)) ??
    paths.findLast((path) => !path.startsWith('/uploads/') && isPicture(path))
  );
}

export function isPicture(path: string): boolean {
  return /\.(?:svg|png|jpe?g|gif|webp|avif)$/i.test(path);
}

/** Returns the page that is taken out of the session: the one in the preview, or else the main one; null without any. */
export function pageToTakeOut({ page, files }: Pick<State, 'page' | 'files'>): string | null {
  const paths = files.flatMap(({ path, type }) => (type === 'file' ? [path] : []));
  const shown = page === null ? '' : pathOf(page.url);
  return paths.includes(shown) ? shown : (mainPage(paths) ?? null);
}

/** The path of a page of the session. */
export function pathOf(url: string): string {
  const [path = ''] = url.split(/[?#]/, 1);
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // A name with a percent sign, as the user typed it.
  }
}
