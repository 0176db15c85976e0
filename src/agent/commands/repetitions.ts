import { fingerprint } from '../../core/fingerprint.js';
import type { Command } from '../../core/human.js';
import { sortedKeys, type JsonValue } from '../../core/json.js';
import { RunCommand, type Message } from '../../core/message.js';
import type { Agent } from '../runtime/agent.js';
import type { Seen } from '../runtime/part.js';

/** Number of newest messages that are searched. */
export const DUPLICATE_WINDOW = 10;
/** From this many repetitions on, asking the model again does not help. */
export const DUPLICATE_LIMIT = 3;

/** Returns commands in one canonical form, so that equal commands compare equal whatever their spacing and thought. */
export function canonical(commands: readonly Command[]): string {
  return JSON.stringify(commands.map(({ name, args }) => [name, sortedKeys(args)]));
}

interface Canonical {
  form: string;
  hash: string;
}

/** The forms of lists: the commands of a reply are compared first and then stored with their message, unchanged. */
const forms = new WeakMap<readonly Command[], Canonical>();

/** Returns the canonical form, and a short hash of it to store with a message. */
function canonicalOf(commands: readonly Command[]): Canonical {
  const known = forms.get(commands);
  if (known !== undefined) return known;
  const form = canonical(commands);
  const made = { form, hash: fingerprint(form) };
  forms.set(commands, made);
  return made;
}

/** The window without an open file. */
const NO_WINDOW = '[null,null]';

/** Returns what a reply could see that no command shows: changes of files by the user, the page, the place in the open file. */
export function viewOf({ parts }: Agent): Seen {
  const view: Seen = { files: 0, page: 0, window: NO_WINDOW };
  for (const part of parts) Object.assign(view, part.seen?.());
  return view;
}

/** Metadata of a reply that was read, for the search for repetitions. `commands` are those of the model, also when not all of them are run. */
export function repetitionData(commands: readonly Command[], view: Seen): Record<string, JsonValue> {
  return { canonical: canonicalOf(commands).hash, view: { ...view } };
}

export interface Repetition {
  times: number;
  /** The last result of the same commands. */
  result: string;
}

interface RepetitionOptions {
  view: () => Seen;
  /** All commands only edit files. */
  edits: boolean;
  /** Returns whether the user has changed files since a change. */
  hasUserChanges: (since: number) => boolean;
  mayRepeat: (observation: Message) => boolean;
}

/** An earlier reply with the same commands. */
interface Occurrence {
  reply: Message;
  observation: Message | undefined;
  /** What other commands have changed since. */
  changed: unknown;
  /** Another command has given a result since that it had not given before. */
  hasNews: boolean;
}

/**
 * Returns how often the same commands occur in the newest messages without a reason to run them again; null for none. Reasons are: a message
 * from outside, a change that the commands can observe, news after an action, and an observation that passes `mayRepeat`. Where a change is not certain, and for
 * `edits`, which other edits do not make useful again, the last two results decide.
 */
export function repetitionOf(
  newest: readonly Message[],
  commands: readonly Command[],
  options: RepetitionOptions,
): Repetition | null {
  const { edits, mayRepeat } = options;
  const occurrences = occurrencesOf(newest, commands);
  const [last, former] = occurrences;
  if (last === undefined) return null;
  const isSame = former !== undefined && resultOf(last) === resultOf(former);
  const times = occurrences.filter((occurrence) => {
    const { observation, changed } = occurrence;
    if (observation !== undefined && mayRepeat(observation)) return false;
    if (!hasView(occurrence, options, isSame)) return false;
    const isProgress = observation?.metadata['changed'] !== undefined && !edits && occurrence.hasNews;
    if (isProgress) return false;
    return changed === undefined || ((changed === 'maybe' || edits) && isSame);
  }).length;
  return times === 0 ? null : { times, result: resultOf(last) };
}

/** Returns the replies with the same commands since the last message from outside, the newest first. */
function occurrencesOf(newest: readonly Message[], commands: readonly Command[]): Occurrence[] {
  const { form, hash } = canonicalOf(commands);
  const isEqual = (message: Message | undefined) => {
    const stored = message?.metadata['canonical'];
    return stored === hash || stored === form; // earlier releases stored the form
  };
  const found: Occurrence[] = [];
  let changed: unknown;
  let hasNews = false;
  for (let index = newest.length - 1; index >= 0; index--) {
    const message = newest[index] as Message;
    if (message.causeBy !== RunCommand.id) break;
    if (isEqual(message)) found.push({ reply: message, observation: newest[index + 1], changed, hasNews });
    else if (message.role !== 'assistant' && !isEqual(newest[index - 1])) {
      const change = message.metadata['changed'];
      if (changed !== 'surely' && change !== undefined) changed = change;
      hasNews ||= newest.findIndex(({ content }) => content === message.content) === index;
    }
  }
  return found;
}

/**
 * Returns whether the reply had the same view. The commands may have moved the view themselves: the next page, the next lines. A page that they
 * have opened twice with the same result is the same one: `isSame`.
 */
function hasView(
  { reply, observation }: Occurrence,
  { view, hasUserChanges }: RepetitionOptions,
  isSame: boolean,
): boolean {
  const before = reply.metadata['view'] as Partial<Seen> | undefined;
  if (before === undefined) return true; // an earlier release stored none
  const { page, window } = view();
  if (hasUserChanges(before.files ?? 0) || (before.page !== page && !isSame)) return false;
  return before.window === window || observation?.metadata['changed'] !== undefined;
}

function resultOf({ observation }: Occurrence): string {
  const repeated = observation?.metadata['repeated'];
  return typeof repeated === 'string' ? repeated : (observation?.content ?? '');
}
