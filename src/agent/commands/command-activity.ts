import { bareVerb } from '../../core/activity.js';
import type { CommandActivity } from '../../core/events.js';
import { isRecord } from '../../core/json.js';
import type { Tool } from '../../core/tool.js';

/** Maximum number of characters of each part that are shown. */
const MAX_SHOWN = 80;

type Shown = Pick<Tool, 'name' | 'activity'>;

/** Returns what a command does, in words for users. `input`: its arguments, as its schema has read them. */
export function commandActivity({ name, activity }: Shown, input: unknown): CommandActivity {
  const { verb, argument } = activity ?? { verb: defaultVerb(name) };
  const value = isRecord(input) && argument !== undefined ? input[argument] : undefined;
  const texts = (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');
  const about = shortened(texts.join(', '));
  return { verb: shortened(about === '' ? bareVerb(verb) : verb), about };
}

/** Returns the verbs of tools by their names, without the words that lead to an argument. */
export function verbsOf(tools: readonly Shown[]): Record<string, string> {
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

function shortened(text: string): string {
  const line = text
    .slice(0, MAX_SHOWN * 4)
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= MAX_SHOWN) return line;
  const head = line.slice(0, MAX_SHOWN - 1).replace(/[\ud800-\udbff]$/, ''); // not half of a surrogate pair
  return `${head}…`;
}
