import { fingerprint } from '../../core/fingerprint.js';
import type { Command } from '../../core/human.js';
import { sortedKeys } from '../../core/json.js';
import type { Message } from '../../core/message.js';

/** Number of newest messages that are searched. */
export const DUPLICATE_WINDOW = 10;
/** From this many repetitions on, asking the model again does not help. */
export const DUPLICATE_LIMIT = 3;

/** Canonical forms by commands. The commands of a reply are compared first and then stored with their message, unchanged. */
const forms = new WeakMap<Command, string>();

/** Returns commands in one canonical form, so that equal commands compare equal whatever their spacing and thought. */
export function canonical(commands: readonly Command[]): string {
  return `[${commands.map(formOf).join(',')}]`;
}

/** Returns a short hash of the canonical form, to store with a message. */
export function canonicalHash(commands: readonly Command[]): string {
  return fingerprint(canonical(commands));
}

function formOf(command: Command): string {
  const known = forms.get(command);
  if (known !== undefined) return known;
  const form = JSON.stringify([command.name, sortedKeys(command.args)]);
  forms.set(command, form);
  return form;
}

/**
 * Counts how often these commands occur in the newest messages. Those whose observation passes `mayRepeat` do not count: the reason for
 * their refusal is gone.
 */
export function repetitions(
  newest: readonly Message[],
  commands: readonly Command[],
  mayRepeat: (observation: Message) => boolean = () => false,
): number {
  const form = canonical(commands);
  const hash = fingerprint(form);
  return newest.filter((message, index) => {
    const observation = newest[index + 1];
    const { canonical: stored } = message.metadata;
    const isEqual = stored === hash || stored === form; // earlier releases stored the form
    return isEqual && (observation === undefined || !mayRepeat(observation));
  }).length;
}
