/** Commands that a model gives again as they were after they have failed: a small one does not copy the arguments that would be right. */
import type { Command } from '../../core/human.js';
import { isRecord } from '../../core/json.js';
import { commandsIn, resultsIn, RunCommand, type Message } from '../../core/message.js';
import type { Correction } from '../runtime/turn.js';
import { canonical } from './repetitions.js';

/** A list with a command that is corrected. */
export interface CorrectedList {
  commands: Command[];
  /** The others that have not succeeded before: they wait for its result. */
  left: Command[];
  /** What the model reads about it. */
  note: string;
}

/**
 * Returns a list in which the command that has failed is given again as it was, with the correction that its error names; null without one, when
 * files were changed since, and when it was tried. It is run alone.
 */
export function correctedList(
  newest: readonly Message[],
  commands: readonly Command[],
): CorrectedList | null {
  for (let index = newest.length - 1; index > 0; index--) {
    const message = newest[index] as Message;
    if (message.causeBy !== RunCommand.id) return null;
    const results = resultsIn(message) ?? [];
    const failed = results.findIndex(({ correction }) => isRecord(correction));
    const ran = failed < 0 ? [] : commandsIn(newest[index - 1]);
    const at = failed < 0 ? -1 : commands.findIndex((command) => isEqual(command, ran[failed]));
    if (at >= 0) {
      const { name, args } = commands[at] as Command;
      const corrected = { name, args: { ...args, ...(results[failed]?.['correction'] as Correction) } };
      if (newest.some((reply) => commandsIn(reply).some((command) => isEqual(corrected, command))))
        return null;
      const others = commands.filter((command) => !isEqual(command, ran[failed]));
      const left = others.filter((command) => !hasSucceeded(newest, command));
      const skipped = left.length < others.length ? ' What had succeeded before it was not run again.' : '';
      const note = `You gave ${name} again as it was, so it was run with these arguments: ${JSON.stringify(corrected.args)}.${skipped}`;
      return { commands: [corrected], left, note };
    }
    if (message.metadata['changed'] !== undefined) return null;
  }
  return null;
}

function hasSucceeded(newest: readonly Message[], command: Command): boolean {
  return newest.some((message, index) => {
    const results = resultsIn(newest[index + 1] ?? message) ?? [];
    return commandsIn(message).some((each, at) => isEqual(command, each) && results[at]?.['ok'] === true);
  });
}

function isEqual(command: Command, stored: Record<string, unknown> | undefined): boolean {
  return stored !== undefined && canonical([command]) === canonical([stored as unknown as Command]);
}
