import type { Linter } from '../../base/linter.js';
import { data } from './data.js';
import { pages, styles } from './markup.js';
import { scripts } from './scripts.js';

export type { Linter, Problem } from '../../base/linter.js';
export { data, pages, scripts, styles };

/**
 * Syntax checks for the languages of the web: JavaScript, TypeScript, JSX, CSS, HTML, YAML, Markdown's front matter. An entry of its own,
 * for its parsers weigh more than all the rest: whoever needs fewer imports `scripts`, `styles`, `pages` or `data` alone.
 * JSON and Python are checked by the editor itself.
 *
 * @example editor({ linters: lint() })
 */
export function lint(): Linter[] {
  return [scripts(), styles(), pages(), data()];
}
