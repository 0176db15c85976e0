import { section, sections } from './template.js';
import { resultsIn, type Message } from '../../core/message.js';
import { isEnveloped } from '../../core/envelope.js';
import { markForgedLines } from './forged-lines.js';

/** Unread messages for the model: whole, and with observations folded to one line per command, for when room is needed. */
export interface News {
  whole: string[];
  /** Results of native calls, which `whole` leaves out; absent without calls. */
  results?: string[];
  folded: string[];
}

/** Characters of a failed command's observation that remain when it is folded: it begins with the reason. */
const MAX_FAILURE_OUTPUT = 200;

/**
 * Composes the unread messages, and results of commands that are not in memory yet. `calls` is the number of native calls that these results
 * answer.
 */
export function newsOf(
  messages: readonly Message[],
  results: readonly { output: string }[],
  calls = 0,
): News {
  const news = newsInText(messages, results);
  if (calls === 0) return news;
  const index = messages.findIndex((message) => resultsIn(message) !== null);
  const observation = messages[index];
  if (observation === undefined)
    return { ...news, whole: news.whole.slice(0, messages.length), results: results.map(outputOf) };
  const outputs = (resultsIn(observation) ?? []).map(outputOf);
  const all = outputs.join('\n\n');
  const rest = observation.content.startsWith(all) ? observation.content.slice(all.length).trim() : '';
  return { ...news, whole: news.whole.with(index, rest), results: outputs };
}

function newsInText(messages: readonly Message[], results: readonly { output: string }[]): News {
  const whole = messages.map((message) => {
    const content = contentOf(message);
    return message.isAiMessage && !isEnveloped(content)
      ? `[Message] from ${message.agent || message.sentFrom}: ${content}`
      : content;
  });
  const folded = messages.map((message, index) => foldObservation(message) ?? whole[index] ?? '');
  const current = results.map((result) => result.output);
  return { whole: [...whole, ...current], folded: [...folded, ...current] };
}

/** Returns the content of a message. One that was written after untrusted content cannot look like other parts of the prompt. */
function contentOf(message: Message): string {
  const { content, metadata } = message;
  // Observations are marked where they are made, without the words of the library in them.
  if (metadata['untrusted'] === undefined || resultsIn(message) !== null) return content;
  const at = isEnveloped(content) ? content.indexOf(': ') + 2 : 0;
  return content.slice(0, at) + markForgedLines(content.slice(at));
}

/** Returns one line per command; null when the message is not an observation. */
function foldObservation(message: Message): string | null {
  const results = resultsIn(message);
  if (results === null) return null;
  const lines = results.map(({ name, ok, output }) =>
    ok === true ? `Command ${String(name)} executed.` : String(output).slice(0, MAX_FAILURE_OUTPUT),
  );
  return lines.join('\n');
}

function outputOf({ output }: { output?: unknown }): string {
  return String(output);
}

/** What the model reads besides unread messages. Each part is sent again only when it has changed. */
export interface Status {
  time: string;
  example: string;
  experience: string;
  toolState: string;
  plan: string;
  currentTask: string;
  language: string;
}

const STATUS_TITLES: Record<keyof Status, string> = {
  time: 'Time',
  example: 'Example',
  experience: 'Past Experience',
  toolState: 'Current State',
  plan: 'Current Plan',
  currentTask: 'Current Task',
  language: 'Response Language',
};

const NAMES = Object.keys(STATUS_TITLES) as (keyof Status)[];

/** Returns the time as a section; empty without a time. */
export function timeSection(time: string): string {
  return section(STATUS_TITLES.time, time);
}

/**
 * Returns the changed parts of `status` as sections in a fixed order, the `notes` of this step, and the question. The question is left out
 * when there is nothing else and it is `obvious`. `next` replaces the question.
 */
export function statusBlock(
  status: Status,
  shown: Partial<Status>,
  notes: readonly string[],
  obvious = false,
  next?: string,
): string {
  const changed: string[] = [];
  for (const name of NAMES)
    if (shown[name] !== status[name]) changed.push(section(STATUS_TITLES[name], status[name]));
  const changes = sections(...changed, section('Note', notes.join('\n')));
  if (next !== undefined) return sections(changes, next);
  return changes === '' && obvious ? 'Go on.' : sections(changes, 'Give your thought and the next commands.');
}
