/** Returns a number as the reader of the page writes it. */
export function numberText(value: number, digits = 0): string {
  return value.toLocaleString(language(), { maximumFractionDigits: digits });
}

export function percentText(share: number): string {
  return share.toLocaleString(language(), { style: 'percent' });
}

export function durationText(milliseconds: number): string {
  return milliseconds < 1_000 ? `${numberText(milliseconds)} ms` : `${numberText(milliseconds / 1_000, 1)} s`;
}

export function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${numberText(bytes)} B`;
  if (bytes < 1e6) return `${numberText(bytes / 1e3, 1)} kB`;
  return bytes < 1e9 ? `${numberText(bytes / 1e6, 1)} MB` : `${numberText(bytes / 1e9, 1)} GB`;
}

export function clockTime(milliseconds: number): string {
  return new Date(milliseconds).toLocaleTimeString(language());
}

/** US dollars; empty for none. */
export function costText(usd: number): string {
  return usd === 0 ? '' : `$${usd < 0.01 ? usd.toPrecision(2) : usd.toFixed(2)}`;
}

/** The language of the page. */
function language(): string | undefined {
  return document.documentElement.lang || undefined;
}
