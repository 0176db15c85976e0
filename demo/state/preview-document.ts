/** The most a preview may hold, in characters. */
const MAX_LENGTH = 4_000_000;

/**
 * A page of the session with its style sheets and scripts put in, so that it needs nothing from outside. What it refers to and the
 * session does not hold stays as it is, and the preview's Content-Security-Policy keeps it from loading.
 */
export function previewDocument(path: string, files: ReadonlyMap<string, string>): string {
  const page = new DOMParser().parseFromString(files.get(path) ?? '', 'text/html');
  const at = (reference: string | null) => files.get(pathOf(reference ?? '', path));
  for (const link of page.querySelectorAll('link[rel~="stylesheet"]')) {
    const content = at(link.getAttribute('href'));
    if (content === undefined) continue;
    const style = page.createElement('style');
    style.textContent = content.replaceAll(/<\/style/gi, '<\\/style');
    link.replaceWith(style);
  }
  for (const script of page.querySelectorAll('script[src]')) {
    const content = at(script.getAttribute('src'));
    if (content === undefined) continue;
    script.removeAttribute('src');
    script.textContent = content.replaceAll(/<\/script/gi, '<\\/script');
  }
  return `<!doctype html>\n${page.documentElement.outerHTML}`.slice(0, MAX_LENGTH);
}

/** The path of a file that another refers to. */
function pathOf(reference: string, from: string): string {
  const base = `http://session${from}`;
  return URL.canParse(reference, base) ? decodeURIComponent(new URL(reference, base).pathname) : '';
}
