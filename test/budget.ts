import { readFileSync } from 'node:fs';

/** The hard limits of `size-budget.json`: sizes in bytes, public names by number, prompts in tokens. */
export const BUDGET = JSON.parse(
  readFileSync(new URL('../size-budget.json', import.meta.url), 'utf8'),
) as Readonly<{
  lines: Record<string, number>;
  files: Record<string, number>;
  tarball: number;
  names: { 'in all entries': number; 'in rolezero/worker': number };
  prompts: Record<string, number>;
}>;

/** A measured value and its limit. */
export interface Measured {
  what: string;
  value: number;
  limit: number;
}

/** Prints each value with its distance to the limit, and returns the lines of those beyond it. */
export function overBudget(measured: readonly Measured[], unit: string): string[] {
  const lines = measured.map((each) => ({ ...each, text: lineOf(each, unit) }));
  console.log(lines.map(({ text }) => text).join('\n'));
  return lines.filter(({ value, limit }) => !(value <= limit)).map(({ text }) => text);
}

/** Formats a line such as `  13.55 of  14.25 kB,  4.9 % left  import { connect } from 'rolezero'`. */
function lineOf({ what, value, limit }: Measured, unit: string): string {
  const isThousands = unit.startsWith('k');
  const format = (number: number): string =>
    isThousands ? (number / 1000).toFixed(2) : number.toLocaleString('en');
  const left = (100 * (limit - value)) / limit;
  const distance = left >= 0 ? `${left.toFixed(1)} % left` : `${(-left).toFixed(1)} % too much`;
  return `${format(value).padStart(7)} of ${format(limit).padStart(7)} ${unit}, ${distance.padStart(11)}  ${what}`;
}
