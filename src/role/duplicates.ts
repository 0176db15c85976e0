import type { Command } from '../base/human.js';
import { sortedKeys } from '../base/json.js';
import type { Message } from '../base/message.js';

/** How many of the newest messages are looked through (spec 6.10). */
export const DUPLICATE_WINDOW = 10;
/** Seen this often in the window, a repetition is no longer cured by asking again. */
export const DUPLICATE_LIMIT = 3;

/** Of commands that were looked at: a reply's are compared first, and then kept with their message. They do not change meanwhile. */
const forms = new WeakMap<Command, string>();

/** Commands in one form whatever the spacing and the thought around them, so that equal work compares equal. */
export function canonical(commands: readonly Command[]): string {
  return `[${commands.map(formOf).join(',')}]`;
}

function formOf(command: Command): string {
  const known = forms.get(command);
  if (known !== undefined) return known;
  const form = JSON.stringify([command.name, sortedKeys(command.args)]);
  forms.set(command, form);
  return form;
}

/**
 * How often these commands were given among the newest messages. Those whose observation says `mayRepeat` do not count: they were
 * refused for a reason that is gone.
 */
export function repetitions(
  newest: readonly Message[],
  commands: readonly Command[],
  mayRepeat: (observation: Message) => boolean = () => false,
): number {
  const form = canonical(commands);
  return newest.filter((message, index) => {
    const observation = newest[index + 1];
    return message.metadata['canonical'] === form && (observation === undefined || !mayRepeat(observation));
  }).length;
}
