import { describeValue } from './describe-value.js';
import { RoleZeroError } from './error.js';
import { isRecord, type JsonValue } from './json.js';
import type { Purpose } from './model.js';

const METADATA = 'temperature';
/** Maximum value; no provider accepts a higher one. */
const MAX = 2;

/**
 * Randomness of replies, from 0 to 2: one value for all calls of the model, or values by purpose of the call.
 *
 * @example 0.2
 * @example { think: 0, report: 0.7 }
 */
export type Temperature = number | Partial<Record<Purpose, number>>;

/**
 * Returns the temperature of a call; undefined for the default of the model.
 *
 * @param given The options, the most important first. A value for the purpose takes precedence over `ours`, a value for all calls does not.
 * @param ours The value that the library chooses for a single call, such as one that must differ from the reply before it.
 */
export function temperatureFor(
  purpose: Purpose,
  given: readonly (Temperature | undefined)[],
  ours?: number,
): number | undefined {
  for (const option of given) {
    const value = typeof option === 'number' ? (ours ?? option) : option?.[purpose];
    if (value !== undefined) return value;
  }
  return ours;
}

/** @throws RoleZeroError `invalid` when it is given and is neither a number from 0 to 2, nor an object of them. */
export function checkTemperature(what: string, temperature: unknown): void {
  const values = isRecord(temperature) ? Object.values(temperature) : [temperature];
  const wrong = values.find(
    (value) => value !== undefined && !(typeof value === 'number' && value >= 0 && value <= MAX),
  );
  if (wrong === undefined) return;
  throw new RoleZeroError(
    'invalid',
    `${what} must be a number from 0 to ${MAX}, or such numbers by purpose: { think: 0 }. It has ${describeValue(wrong)}.`,
  );
}

/** Returns name and value of the metadata of a request with a temperature of its own. */
export function temperatureMetadata(temperature: Temperature): [name: string, value: JsonValue] {
  return [METADATA, temperature];
}

/** Reads the temperature that a request asks for from its metadata. */
export function requestedTemperature(metadata: Record<string, unknown> = {}): Temperature | undefined {
  const value = metadata[METADATA];
  return typeof value === 'number' || isRecord(value) ? value : undefined;
}
