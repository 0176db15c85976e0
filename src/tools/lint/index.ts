import type { Linter } from '../../base/linter.js';
import { data } from './data.js';
import { pages, styles } from './markup.js';
import { python } from './python.js';
import { scripts } from './scripts.js';

export type { Linter, Problem } from '../../base/linter.js';
export { data, pages, python, scripts, styles };

/**
 * Syntax checks: JavaScript, TypeScript, JSX, CSS, HTML, YAML, Markdown's front matter, Python. An entry of its own, for its parsers weigh
 * more than all the rest: whoever needs fewer imports `scripts`, `styles`, `pages`, `data` or `python` alone.
 * JSON, and the shape of Python, are checked by the editor itself.
 *
 * @example editor({ linters: lint() })
 */
export function lint(): Linter[] {
  return [scripts(), styles(), pages(), data(), python()];
}
