import { memoizeLast } from '../../core/memoize-last.js';
import type { ChatModel } from '../../core/model.js';

/** A set of prompts and commands; see the option `preset`. */
export type Preset = 'full' | 'small';

/** Models with fewer parameters are small. */
const FEW_PARAMETERS = 4e9;
/** Windows with fewer tokens are small. */
const SMALL_WINDOW = 16_000;

/** Returns the preset that suits a model by its size, read from its name where it reports none, and by its window. */
export function presetFor(model: ChatModel | undefined): Preset {
  if (model === undefined) return 'full';
  return hasFewParameters(model) || model.contextWindow < SMALL_WINDOW ? 'small' : 'full';
}

/** Returns whether a model is known to have few parameters. */
export function hasFewParameters(model: ChatModel): boolean {
  const parameters = model.parameters ?? parametersOf({ name: model.id });
  return parameters !== null && parameters < FEW_PARAMETERS;
}

/** Every call of a model asks for it. */
const parametersOf = memoizeLast(({ name }: { name: string }) => parametersIn(name));

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
