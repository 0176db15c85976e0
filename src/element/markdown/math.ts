import { html, type TemplateResult } from 'lit';
import type { MarkedExtension, Tokens } from 'marked';
import type { Renderers } from './renderers.js';

/** Characters of a formula from which on it is shown as it was written. */
const MAX_FORMULA = 2_000;

/** `$$…$$` and `\[…\]`, which begin a line. */
const BLOCK_FORMULA = new RegExp(
  String.raw`^ {0,3}(?:\$\$([^$]{1,${MAX_FORMULA}})\$\$|\\\[((?:(?!\\\]).){1,${MAX_FORMULA}})\\\])[ \t]*(?:\n|$)`,
  's',
);
/**
 * `$$…$$`, `\[…\]`, and `\(…\)` in a line. `$…$` is a formula as in Pandoc: no space at its inner sides, no letter or digit at its outer sides,
 * so that prices and variables of a shell are text.
 */
const INLINE = new RegExp(
  String.raw`^(?:\$\$([^$\n]{1,${MAX_FORMULA}})\$\$|\\\[((?:(?!\\\]|\n).){1,${MAX_FORMULA}})\\\]` +
    String.raw`|\\\(((?:(?!\\\)|\n).){1,${MAX_FORMULA}})\\\)|\$(?![\s$])((?:\\\$|[^$\n]){1,${MAX_FORMULA}})(?<![\s\\])\$(?![\w$]))`,
);

export interface FormulaToken extends Tokens.Generic {
  type: 'formula';
  formula: string;
  isBlock: boolean;
}

/** Reads formulas in TeX. */
export const formulas: MarkedExtension = {
  extensions: [
    {
      name: 'formula',
      level: 'block',
      start: (text) => /(?<=\n) {0,3}(?:\$\$|\\\[)/.exec(text)?.index,
      tokenizer: (text) => token(BLOCK_FORMULA.exec(text)),
    },
    {
      name: 'formula',
      level: 'inline',
      start: (text) => /(?<![\w$])\$|\\[([]/.exec(text)?.index,
      tokenizer: (text) => token(INLINE.exec(text)),
    },
  ],
};

function token(match: RegExpExecArray | null): FormulaToken | undefined {
  if (match === null) return undefined;
  const [raw, dollars, brackets, parentheses, dollar] = match;
  const formula = dollars ?? brackets ?? parentheses ?? dollar ?? '';
  return { type: 'formula', raw, formula: formula.trim(), isBlock: (dollars ?? brackets) !== undefined };
}

/** Returns whether a text may have a formula. */
export function mayHaveFormula(text: string): boolean {
  return /\$|\\[([]/.test(text);
}

export function isFormula(token: { type: string }): token is FormulaToken {
  return token.type === 'formula';
}

export function formulaView(
  { raw, formula, isBlock }: FormulaToken,
  math: Renderers['math'] | undefined,
): TemplateResult | string {
  const shown = math?.(formula, isBlock) ?? null;
  if (shown === null) return raw;
  return isBlock ? html`<div class="formula">${shown}</div>` : html`${shown}`;
}
