/** A day, month, or year named in a query. Parts that are not named are null. Months count from 0. */
export interface NamedTime {
  year: number | null;
  month: number | null;
  day: number | null;
}

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
);
const MONTH = `(${MONTHS.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')})`;
/** Matches forms such as 8 May 2023 · May 8, 2023 · May 2023 · in May · 2023-05-08 · in 2023. */
const TIMES = [
  new RegExp(`\\b(?<day>\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH}\\b\\.?,?(?: (?<year>\\d{4}))?`, 'gi'),
  new RegExp(`\\b${MONTH}\\b\\.? (?<day>\\d{1,2})(?:st|nd|rd|th)?\\b(?:,? (?<year>\\d{4}))?`, 'gi'),
  new RegExp(`\\b${MONTH}\\b\\.?,? (?<year>\\d{4})\\b`, 'gi'),
  new RegExp(`\\b(?:in|of|during|since|last|this|early|late|mid) ${MONTH}\\b`, 'gi'),
  /\b(?<year>\d{4})-(?<number>\d{2})-(?<day>\d{2})\b/g,
  /\b(?:in|of|during|since) (?<year>(?:19|20)\d{2})\b/gi,
];

/** Returns the times that a query names in English or as an ISO date. Text matched by one pattern is not matched by later ones. */
export function timesIn(query: string): NamedTime[] {
  const times: NamedTime[] = [];
  let rest = query;
  for (const form of TIMES) {
    rest = rest.replace(form, (text: string, ...found: unknown[]) => {
      const groups = (found.at(-1) ?? {}) as Record<string, string | undefined>;
      const name = new RegExp(`\\b${MONTH}\\b`, 'i').exec(text)?.[1]?.slice(0, 3).toLowerCase();
      const month = MONTHS.findIndex((full) => full.slice(0, 3) === name);
      const numbered = groups['number'] === undefined ? null : Number(groups['number']) - 1;
      const number = (digits: string | undefined) => (digits === undefined ? null : Number(digits));
      times.push({
        year: number(groups['year']),
        month: month < 0 ? numbered : month,
        day: number(groups['day']),
      });
      return ' '.repeat(text.length);
    });
  }
  return times;
}

/** Returns true when a moment (milliseconds since 1970, read as UTC) is within a named time. */
export function isWithin(moment: number, { year, month, day }: NamedTime): boolean {
  const date = new Date(moment);
  return (
    (year === null || date.getUTCFullYear() === year) &&
    (month === null || date.getUTCMonth() === month) &&
    (day === null || date.getUTCDate() === day)
  );
}
