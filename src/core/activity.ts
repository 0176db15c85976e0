import type { AgentEvent, Phase, CommandActivity } from './events.js';
import type { ModelPhase } from './model.js';
import { isRecord } from './json.js';
import type { Tool } from './tool.js';

/**
 * Returns what the agent is doing, in a few words for users: "Writing /index.html", "Running ls -l", "Thinking".
 *
 * @param current the activity so far, which most events do not change
 * @returns null when the agent does nothing
 * @example
 * let activity: string | null = null;
 * session.on((event) => {
 *   activity = activityOf(event, activity);
 * });
 */
export function activityOf(event: AgentEvent, current: string | null = null): string | null {
  switch (event.type) {
    case 'run-start':
      return 'Starting';
    case 'phase':
      // The phase before a command is less specific than the command, but an answered question is over.
      if (event.phase === 'acting') return current?.startsWith(WAITING) === true ? 'Working' : current;
      return PHASES[event.phase] ?? current;
    case 'command-start':
      return `${event.activity.verb} ${event.activity.about}`.trimEnd();
    case 'human-question':
    case 'approval-request':
      return waitingFor(event.question.kind);
    case 'call-retry':
      return event.waitMs < 500 ? RETRYING : `${RETRYING} in ${Math.round(event.waitMs / 1000)} s`;
    case 'model-progress':
      return `${MODEL_PHASES[event.phase]}${share(event.loaded, event.total)}`;
    case 'reply-delta':
    case 'reasoning-delta':
    case 'thought-delta':
      return isOfModel(current) || current?.startsWith(RETRYING) === true ? 'Thinking' : current;
    case 'run-end':
      return event.status === 'waiting' ? current : null;
    default:
      return current;
  }
}

/** Returns what the agent waits for while a question of that kind is open. */
export function waitingFor(kind: 'question' | 'approval'): string {
  return `${WAITING} ${kind === 'approval' ? 'approval' : 'answer'}`;
}

const WAITING = 'Waiting for your';

const RETRYING = 'Asking the model again';
const MODEL_PHASES: Record<ModelPhase, string> = {
  waiting: 'Waiting for the model',
  downloading: 'Downloading the model',
  loading: 'Loading the model',
  reading: 'Reading the prompt',
};

function isOfModel(activity: string | null): boolean {
  return Object.values(MODEL_PHASES).some((phase) => activity?.startsWith(phase));
}

function share(loaded: number, total: number): string {
  const isKnown = total > 0 && loaded >= 0 && loaded <= total;
  return isKnown ? `, ${Math.floor((loaded / total) * 100)} %` : '';
}

const PHASES: Partial<Record<Phase, string>> = {
  classifying: 'Reading the request',
  thinking: 'Thinking',
};

/** Returns a verb without the words that lead to its argument: "Searching the web for" becomes "Searching the web". */
export function bareVerb(verb: string): string {
  return verb.replace(/(?: (?:for|to|of)|:)$/, '');
}

/** Maximum number of characters of each part that are shown. */
const MAX_ACTIVITY_LENGTH = 80;

type ActivityTool = Pick<Tool, 'name' | 'activity'>;

/** Returns what a command does, in words for users. `input`: its arguments, as its schema has read them. */
export function commandActivity(tool: ActivityTool, input: unknown): CommandActivity {
  const { activity } = tool;
  const about = activity?.argument === undefined ? '' : shownArgument(input, activity.argument);
  const known = verbs.get(tool) ?? verbsOfTool(tool);
  return { verb: about === '' ? known.bare : known.verb, about };
}

function shownArgument(input: unknown, argument: string): string {
  const value = isRecord(input) ? input[argument] : undefined;
  const texts = (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');
  return shortenLine(texts.join(', '));
}

/** The verbs of tools, which every command of theirs shows: before an argument, and without one. */
const verbs = new WeakMap<ActivityTool, { verb: string; bare: string }>();

function verbsOfTool(tool: ActivityTool): { verb: string; bare: string } {
  const verb = tool.activity?.verb ?? defaultVerb(tool.name);
  const shown = { verb: shortenLine(verb), bare: shortenLine(bareVerb(verb)) };
  verbs.set(tool, shown);
  return shown;
}

/** Returns the verbs of tools by their names, without the words that lead to an argument. */
export function verbsOf(tools: readonly ActivityTool[]): Record<string, string> {
  return Object.fromEntries(tools.map((tool) => [tool.name, commandActivity(tool, {}).verb]));
}

/** Makes "Using Money: convert currency" of `Money.convert_currency`. */
function defaultVerb(name: string): string {
  const [group, method] = name.split('.');
  const words = (text = ''): string =>
    text
      .replace(/([a-z\d])(?=[A-Z])/g, '$1 ')
      .replace(/[_-]+/g, ' ')
      .toLowerCase();
  return method === undefined ? `Using ${words(group)}` : `Using ${group}: ${words(method)}`;
}

function shortenLine(text: string): string {
  const line = text
    .slice(0, MAX_ACTIVITY_LENGTH * 4)
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= MAX_ACTIVITY_LENGTH) return line;
  const head = line.slice(0, MAX_ACTIVITY_LENGTH - 1).replace(/[\ud800-\udbff]$/, ''); // not half of a surrogate pair
  return `${head}…`;
}
