import type { ChatModel } from '../../core/model.js';
import { isRecord, type JsonSchema } from '../../core/json.js';
import type { Tool } from '../../core/tool.js';
import type { Prompts } from './prompts.js';

/** A set of prompts and commands; see the option `preset`. */
export type Preset = 'full' | 'small';

/** Models with fewer parameters are small. */
const SMALL_MODEL = 4e9;
/** Windows with fewer tokens are small. */
const SMALL_WINDOW = 16_000;
/** Temperature of small models: at higher ones, they write commands that do not exist. */
const SMALL_TEMPERATURE = 0.2;

/** Returns the preset that suits a model by its size, read from its name where it reports none, and by its window. */
export function presetFor(model: ChatModel | undefined): Preset {
  if (model === undefined) return 'full';
  return hasFewParameters(model) || model.contextWindow < SMALL_WINDOW ? 'small' : 'full';
}

/** Returns whether a model is known to have few parameters. */
export function hasFewParameters(model: ChatModel): boolean {
  const parameters = model.parameters ?? parametersIn(model.id);
  return parameters !== null && parameters < SMALL_MODEL;
}

/** Returns the number of parameters in a name such as `qwen2.5:1.5b` or `gemma3:270m`: the largest, as some have two; null without one. */
export function parametersIn(name: string): number | null {
  const sizes = [...name.matchAll(/(?<![\d.])(\d+(?:\.\d+)?) ?([bm])(?![a-z\d])/gi)].flatMap(
    ([, amount, unit]) => {
      const isBillions = unit?.toLowerCase() === 'b';
      // A few million are the tokens of a window: `-1m`.
      return isBillions || Number(amount) >= 50 ? [Number(amount) * (isBillions ? 1e9 : 1e6)] : [];
    },
  );
  return sizes.length === 0 ? null : Math.max(...sizes);
}

/** Returns the temperature of a preset; undefined for that of the model. */
export function temperatureOf(preset: Preset): number | undefined {
  return preset === 'small' ? SMALL_TEMPERATURE : undefined;
}

/** Returns the texts with those of the preset in place of the longer ones. */
export function promptsOf(preset: Preset, prompts: Prompts): Prompts {
  if (preset === 'full') return prompts;
  return {
    ...prompts,
    taskStructure: '',
    roleInstruction: prompts.smallInstruction,
    commandsIntroduction: prompts.smallCommandsIntroduction,
    replyFormat: prompts.smallReplyFormat,
    constrainedFormat: prompts.smallConstrainedFormat,
    toolsFormat: prompts.smallToolsFormat,
    regenerate: prompts.smallRegenerate,
    firstReply: '',
    firstReplyTools: '',
    firstReplyInText: '',
  };
}

/** Returns the tools that a small model is shown, as it is shown them, in their order for it. The others can still be used. */
export function smallTools(tools: readonly Tool[]): Tool[] {
  const placeOf = ({ hints }: Tool): number => (hints?.small ? hints.small.place : Number.MAX_VALUE);
  return tools
    .filter(({ hints }) => hints?.small !== false)
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .map(withFewerArguments);
}

/** The inputs without the arguments that a small model is not shown. */
const fewer = new WeakMap<Tool['input'], Tool['input']>();

function withFewerArguments(tool: Tool): Tool {
  const { small } = tool.hints ?? {};
  if (!small || small.without === undefined) return tool;
  const input = fewer.get(tool.input) ?? withoutArguments(tool.input, small.without);
  fewer.set(tool.input, input);
  return { ...tool, input };
}

function withoutArguments(input: Tool['input'], names: readonly string[]): Tool['input'] {
  const isShown = ([name]: [string, unknown]): boolean => !names.includes(name);
  return {
    safeParse: (value) => input.safeParse(value),
    toJSONSchema: (options) => {
      const schema = input.toJSONSchema(options) as JsonSchema;
      const properties = isRecord(schema['properties']) ? schema['properties'] : {};
      return { ...schema, properties: Object.fromEntries(Object.entries(properties).filter(isShown)) };
    },
  };
}

/** Returns the description that a small model is shown. */
export function smallDescription({ hints, description }: Tool): string {
  return hints?.small ? hints.small.description : description;
}
