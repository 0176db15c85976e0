/** A figure with a goal. */
export interface Goal {
  what: string;
  /** Null where it was not measured. */
  value: number | null;
  goal: number;
  unit: string;
  /** True when lower figures are better. */
  most: boolean;
  /** The figure of an earlier version, of the same run or independent of the machine: one number or a range. */
  before?: Before | undefined;
}

type Before = number | readonly [low: number, high: number];

/** Returns the table of goals, with a column “before” if one of them has such a figure. `amounts` formats a figure. */
export function goalTable(goals: readonly Goal[], amounts: (value: number) => string = amount): string {
  const hasBefore = goals.some(({ before }) => before !== undefined);
  const lines = goals.map(({ what, value, goal, unit, most, before }) => {
    const text = (figures: string): string => `${figures} ${unit}`.trim();
    const wanted = `${most ? '≤' : '≥'} ${text(amounts(goal))}`;
    const figures = before === undefined ? '—' : text([before].flat().map(amounts).join('–'));
    const former = hasBefore ? ` ${figures} |` : '';
    if (value === null || !Number.isFinite(value)) return `| ${what} | ${wanted} |${former} not measured | |`;
    const met = most ? value <= goal : value >= goal;
    const distance = met ? 'yes' : `${amount(most ? value / goal : goal / value)} × away`;
    return `| ${what} | ${wanted} |${former} ${text(amounts(value))} | ${distance} |`;
  });
  const head = hasBefore
    ? ['| | goal | before | measured | met |', '|---|--:|--:|--:|---|']
    : ['| | goal | measured | met |', '|---|--:|--:|---|'];
  return [...head, ...lines].join('\n');
}

/** Three significant digits, with thousands separators. */
export function amount(value: number): string {
  if (!Number.isFinite(value)) return '';
  return Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en')
    : String(Number(value.toPrecision(3)));
}
