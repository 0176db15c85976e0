import type { TemplateResult } from 'lit';
import { expect, it } from 'vitest';
import { outputView } from '../../../demo/panes/terminal-output.js';

/** A template as its text; attributes without a value are dropped. */
function markup(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(markup).join('');
  if (typeof value !== 'object' || value === null) return '';
  const { strings, values } = value as TemplateResult;
  return strings.reduce((text, part, at) => text + markup(values[at - 1]) + part);
}
const shown = (output: string) => markup(outputView(output)).replaceAll(/\s+>/g, '>').replaceAll(/\s+/g, ' ');

it('shows text without colors as it is, and nothing of it as markup', () => {
  const { strings } = outputView('<b>a</b>\nline');
  expect(strings.join('')).toBe('');
  expect(shown('<b>a</b>\nline')).toBe('<b>a</b> line');
});

it('colors the results of tests', () => {
  expect(shown('✔ adds (1ms)\n  ✖ divides\nℹ fail 1\n')).toBe(
    '<span class="ansi-green">✔ adds (1ms) </span><span class="ansi-red"> ✖ divides </span>ℹ fail 1 ',
  );
});

it.each([
  ['\u001b[31m red\u001b[0m', 'color: color-mix(in oklab, var(--ansi-red) 75%, var(--ink))'],
  ['\u001b[92m bright\u001b[0m', 'color: color-mix(in oklab, var(--ansi-green) 75%, var(--ink))'],
  ['\u001b[38;5;208m cube\u001b[0m', 'color: color-mix(in oklab, rgb(255, 135, 0) 75%, var(--ink))'],
  ['\u001b[38;5;240m gray\u001b[0m', 'color: color-mix(in oklab, rgb(88, 88, 88) 75%, var(--ink))'],
  ['\u001b[38;2;1;2;3m true\u001b[0m', 'color: color-mix(in oklab, rgb(1, 2, 3) 75%, var(--ink))'],
  ['\u001b[41m back\u001b[0m', 'background: color-mix(in oklab, var(--ansi-red) 16%, transparent)'],
])('shows the colors of a terminal in those of the theme: %j', (output, style) => {
  expect(shown(output)).toContain(`style=${style}`);
});

it('shows bold text, and black and white as text', () => {
  expect(shown('\u001b[1;37mname\u001b[0m')).toContain('class=ansi-bold');
  expect(shown('\u001b[37mname\u001b[0m')).not.toContain('color-mix');
});
