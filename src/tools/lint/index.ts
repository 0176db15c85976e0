import type { Linter } from '../../core/linter.js';
import { data } from './data.js';
import { pages, styles } from './markup.js';
import { python } from './python.js';
import { scripts } from './scripts.js';

export type { Linter } from '../../core/linter.js';
export { data, pages, python, scripts, styles };

/**
 * Syntax checks for JavaScript, TypeScript, JSX, CSS, HTML, YAML, Markdown front matter, and Python. This is a separate entry point because
 * its parsers are larger than the rest of the package. To include fewer parsers, import only `scripts`, `styles`, `pages`, `data` or
 * `python`. The editor itself checks JSON and the shape of Python.
 *
 * @example editor({ linters: lint() })
 */
export function lint(): Linter[] {
  return [scripts(), styles(), pages(), data(), python()];
}
