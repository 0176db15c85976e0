import type { ChatModel } from '../../core/model.js';
import { groupOf, type Tool } from '../../core/tool.js';
import type { Prompts } from './prompts.js';

/** A set of prompts and commands; see the option `preset`. */
export type Preset = 'full' | 'small';

/** Models with fewer parameters are small. */
const SMALL_MODEL = 4e9;
/** Windows with fewer tokens are small. */
const SMALL_WINDOW = 16_000;
/** Temperature of small models: at higher ones, they write commands that do not exist. */
const SMALL_TEMPERATURE = 0.2;

/** Commands that a small model is shown, in this order: it tends to use the first ones. They have shorter descriptions. */
const SMALL_COMMANDS: Readonly<Record<string, string>> = {
  'Editor.read': 'Show a file, with line numbers.',
  'Editor.write': 'Write a whole file. It replaces what the file had.',
  'Editor.replace_text':
    'Change a part of a file: `old` is text that is in the file once, `new` replaces it.',
  'Editor.append_file': 'Add text at the end of a file.',
  'Editor.search_dir': 'Find the files in which a text occurs.',
  'Editor.find_file': 'List the files with such a name; * lists all.',
  'RoleZero.reply_to_human': 'Tell the user the answer or the result.',
  'RoleZero.ask_human': 'Ask the user one question, and wait for the answer.',
  end: 'The work is finished.',
  'Browser.goto': 'Open a web page by its URL, or a file such as /index.html, and show it.',
  'Browser.click': 'Click an element by its number, or a text.',
  'Browser.type': 'Type into a field.',
  'Browser.view': 'Show the open page.',
  'Terminal.run_command': 'Run a shell command.',
};
const SMALL_GROUPS: ReadonlySet<string> = new Set(['Plan', 'RoleZero', 'Editor', 'Browser', 'Terminal']);

/** Returns the preset that suits a model by its size, read from its name where it reports none, and by its window. */
export function presetFor(model: ChatModel | undefined): Preset {
  if (model === undefined) return 'full';
  const parameters = model.parameters ?? parametersIn(model.id);
  const isSmall = (parameters !== null && parameters < SMALL_MODEL) || model.contextWindow < SMALL_WINDOW;
  return isSmall ? 'small' : 'full';
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

/** Returns the tools that a small model is shown. The others of these groups can still be used. */
export function smallTools(tools: readonly Tool[]): Tool[] {
  const order = Object.keys(SMALL_COMMANDS);
  const place = ({ name }: Tool) => (order.includes(name) ? order.indexOf(name) : order.length);
  return tools
    .filter(({ name }) => order.includes(name) || !SMALL_GROUPS.has(groupOf(name)))
    .toSorted((one, other) => place(one) - place(other));
}

/** Returns the description that a small model is shown. */
export function smallDescription({ name, description }: Tool): string {
  return Object.hasOwn(SMALL_COMMANDS, name) ? (SMALL_COMMANDS[name] ?? description) : description;
}
