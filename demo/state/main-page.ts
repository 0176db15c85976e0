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
