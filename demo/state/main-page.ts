/** Returns the page among files to open first: an index page, otherwise the newest, which is the last. */
export function mainPage(paths: readonly string[]): string | undefined {
  return (
    paths.find((path) => path.endsWith('/index.html')) ?? paths.findLast((path) => /\.html?$/i.test(path))
  );
}
