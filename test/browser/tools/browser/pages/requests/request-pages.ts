import type { Step, TaskPage } from '../../steps.js';

/** Request of a user → the page on which it is solved. The page shows PASS once its state satisfies the request. */
export type RequestPages = Readonly<Record<string, Pick<TaskPage, 'html' | 'files'>>>;

/** The end of a page: its place for PASS, and its script. `pass(right)` shows PASS only while `right` is true. */
export const script = (code: string): string =>
  `<p id="o"></p><script>const pass = (right = true) => { o.textContent = right ? 'PASS' : '' };${code}</script>`;

export const icon = (name: string): string =>
  `<svg class="icon icon-${name}" width="16" height="16" viewBox="0 0 16 16"><path d="M2 2h9v9z"/></svg>`;

/** Joins pages with the steps that solve their requests. */
export function taskPages(
  pages: RequestPages,
  steps: Readonly<Record<string, readonly Step[]>>,
): readonly TaskPage[] {
  return Object.entries(pages).map(([name, page]) => ({
    name,
    ...page,
    steps: steps[name] ?? [],
    solved: "'PASS'",
  }));
}
