import anser, { type AnserJsonEntry } from 'anser';
import { html, nothing, type TemplateResult } from 'lit';

/** The names of the first colors of the palette; the second eight are the same in bright. */
const NAMES = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;
/** The steps of red, green and blue in the cube of colors from 16 to 231. */
const STEPS = [0, 95, 135, 175, 215, 255] as const;
/** Results of tests, as `node --test` prints them. */
const RESULTS: readonly [mark: RegExp, color: string][] = [
  [/^\s*✔/, 'green'],
  [/^\s*✖/, 'red'],
];

/** Shows the output of a command in the colors that it asks for, and the results of tests in theirs. */
export function outputView(output: string): TemplateResult {
  const parts = anser.ansiToJson(output, { json: true, use_classes: true, remove_empty: true });
  return html`${parts.map((part) => (isPlain(part) ? part.content.split(/(?<=\n)/).map(lineView) : partView(part)))}`;
}

function lineView(line: string): TemplateResult | string {
  const color = RESULTS.find(([mark]) => mark.test(line))?.[1];
  return color === undefined ? line : html`<span class="ansi-${color}">${line}</span>`;
}

function isPlain({ fg, bg, decorations }: Styled): boolean {
  return !fg && !bg && decorations.length === 0;
}

/** The declared types leave out that a part without a color has null. */
type Styled = Pick<AnserJsonEntry, 'content' | 'decorations'> & {
  [color in 'fg' | 'bg' | 'fg_truecolor' | 'bg_truecolor']: string | null;
};

function partView(part: Styled): TemplateResult {
  const [fg, bg] = [colorOf(part.fg, part.fg_truecolor), colorOf(part.bg, part.bg_truecolor)];
  const [front, back] = part.decorations.includes('reverse') ? [bg, fg ?? 'var(--ink)'] : [fg, bg];
  const style = [
    ...(front === null ? [] : [`color: color-mix(in oklab, ${front} 75%, var(--ink))`]),
    ...(back === null ? [] : [`background: color-mix(in oklab, ${back} 16%, transparent)`]),
  ].join('; ');
  return html`<span
    class=${part.decorations.map((name) => `ansi-${name}`).join(' ') || nothing}
    style=${style || nothing}
    >${part.content}</span
  >`;
}

/** Returns a color of CSS: one of the theme for the sixteen of a terminal; null for the color of text. */
function colorOf(name: string | null, rgb: string | null): string | null {
  if (name === null) return null;
  if (name === 'ansi-truecolor') return rgb === null ? null : `rgb(${rgb})`;
  const index = /^ansi-palette-(\d+)$/.exec(name)?.[1];
  if (index === undefined) return named(name.replace(/^ansi-(?:bright-)?/, ''));
  return paletteColor(Number(index));
}

/** Black and white are the colors of text and paper in one of the themes, and unreadable in the other. */
function named(name: string): string | null {
  return name === 'black' || name === 'white' ? null : `var(--ansi-${name})`;
}

function paletteColor(index: number): string | null {
  if (index < 16) return named(NAMES[index % 8] ?? 'white');
  if (index >= 232)
    return `rgb(${Array(3)
      .fill(8 + 10 * (index - 232))
      .join(', ')})`;
  const at = index - 16;
  const cube = [Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6];
  return `rgb(${cube.map((step) => STEPS[step] ?? 0).join(', ')})`;
}
