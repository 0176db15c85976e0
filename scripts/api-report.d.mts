/** The text of `docs/api.md`. */
export function apiReport(): string;
