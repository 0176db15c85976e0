import { checkOptions } from './check-options.js';
import { isRecord, type JsonValue } from './json.js';
import { REASONING, type Reasoning } from './reasoning.js';
import { checkTemperature, type Temperature } from './temperature.js';

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

const METADATA = 'settings';

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
  return Object.keys(settings).length === 0 ? null : [METADATA, settings];
}

/** Reads the settings of a request from its metadata. */
export function requestSettings(metadata: Record<string, unknown> = {}): RequestSettings {
  const settings = metadata[METADATA];
  return isRecord(settings) ? settings : {};
}
