import { checkOptions } from './check-options.js';
import { isRecord, type JsonValue } from './json.js';
import { describeValue } from './describe-value.js';
import { RoleZeroError } from './error.js';
import { type Purpose, REASONING, type Reasoning } from './model.js';

/** Settings of one request, in place of the options of the role. */
export interface RequestSettings {
  /** Instruction for this request, in addition to that of the role. */
  instruction?: string;
  /** Names of the tools that the model is shown, or of their groups: `['Editor', 'Browser.goto']`. It always sees those for users and plans. */
  tools?: readonly string[];
  /** Maximum number of steps. @default `maxSteps` of the role */
  maxSteps?: number;
  /** How much the model thinks. @default that of the model */
  reasoning?: Reasoning;
  /** Randomness of replies. @default the option of the role */
  temperature?: Temperature;
}

const SETTINGS_KEY = 'settings';

/** @throws RoleZeroError `invalid` naming a setting that is not known, or whose value cannot be used. */
export function checkRequestSettings(caller: string, settings: RequestSettings): void {
  const { instruction, tools, maxSteps, reasoning, temperature } = settings;
  const given = { instruction, tools, maxSteps, reasoning };
  checkOptions(caller, given, {
    instruction: 'text',
    tools: 'list',
    maxSteps: 'count',
    reasoning: REASONING,
  });
  checkTemperature(`\`temperature\` of ${caller}`, temperature);
}

/** Returns name and value of the metadata of a request with settings; null without any. The temperature has its own. */
export function settingsMetadata({
  instruction,
  tools,
  maxSteps,
  reasoning,
}: RequestSettings): [name: string, value: JsonValue] | null {
  const given = Object.entries({ instruction, tools: tools && [...tools], maxSteps, reasoning });
  const settings = Object.fromEntries(given.filter(([, value]) => value !== undefined)) as Record<
    string,
    JsonValue
  >;
  return Object.keys(settings).length === 0 ? null : [SETTINGS_KEY, settings];
}

/** Reads the settings of a request from its metadata. */
export function requestSettings(metadata: Record<string, unknown> = {}): RequestSettings {
  const settings = metadata[SETTINGS_KEY];
  return isRecord(settings) ? settings : {};
}

const TEMPERATURE_KEY = 'temperature';
/** Maximum value; no provider accepts a higher one. */
const MAX_TEMPERATURE = 2;

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
    (value) => value !== undefined && !(typeof value === 'number' && value >= 0 && value <= MAX_TEMPERATURE),
  );
  if (wrong === undefined) return;
  throw new RoleZeroError(
    'invalid',
    `${what} must be a number from 0 to ${MAX_TEMPERATURE}, or such numbers by purpose: { think: 0 }. It has ${describeValue(wrong)}.`,
  );
}

/** Returns name and value of the metadata of a request with a temperature of its own. */
export function temperatureMetadata(temperature: Temperature): [name: string, value: JsonValue] {
  return [TEMPERATURE_KEY, temperature];
}

/** Reads the temperature that a request asks for from its metadata. */
export function requestedTemperature(metadata: Record<string, unknown> = {}): Temperature | undefined {
  const value = metadata[TEMPERATURE_KEY];
  return typeof value === 'number' || isRecord(value) ? value : undefined;
}
