import type { RoleZeroOptions } from '../agent/runtime/role-zero-options.js';

/** Name in MetaGPT, and the option of `RoleZero` with this meaning. */
const OPTION_ALIASES = {
  desc: 'description',
  is_human: 'playedByUser',
  isHuman: 'playedByUser',
  max_react_loop: 'maxSteps',
  maxReactLoop: 'maxSteps',
  memory_k: 'maxMessages',
  memoryK: 'maxMessages',
  respond_language: 'language',
  respondLanguage: 'language',
  task_type_desc: 'taskTypes',
  taskTypeDesc: 'taskTypes',
  use_summary: 'summarize',
  useSummary: 'summarize',
} as const satisfies Record<string, keyof RoleZeroOptions>;

type OptionAliases = typeof OPTION_ALIASES;

/** Options of a `RoleZero`, those that MetaGPT names differently also under its names: `desc`, `max_react_loop` or `maxReactLoop`. */
export type MetaGPTOptions = RoleZeroOptions & {
  [Name in keyof OptionAliases]?: RoleZeroOptions[OptionAliases[Name]];
};

/**
 * Returns options of `RoleZero` for options with the names of MetaGPT. Other options stay as they are.
 *
 * @example new RoleZero(roleZeroOptions({ model, desc: 'You are Ada.', max_react_loop: 20 }))
 */
export function roleZeroOptions(options: MetaGPTOptions): RoleZeroOptions {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      Object.hasOwn(OPTION_ALIASES, name) ? OPTION_ALIASES[name as keyof OptionAliases] : name,
      value,
    ]),
  );
}
