import { RoleZeroError } from '../../base/error.js';

/**
 * Puts variables into a text: `{name}` → its value. A variable the text names and nobody gives is an error; braces around
 * anything but a name are left alone, so that JSON examples need no escaping. Values are never read again.
 *
 * @throws RoleZeroError `internal` naming the missing variable.
 */
export function fill(template: string, variables: Readonly<Record<string, string>>): string {
  return partsOf(template)
    .map((part, index) => (index % 2 === 0 ? part : valueOf(part, variables)))
    .join('');
}

function valueOf(name: string, variables: Readonly<Record<string, string>>): string {
  const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
  if (value !== undefined) return value;
  throw new RoleZeroError('internal', `The prompt needs the variable "${name}" and nobody gave it.`, {
    name,
  });
}

/** Templates are few, for they are an application's prompts; some are filled in every step. */
const split = new Map<string, readonly string[]>();

/** Text and names in turns: at odd places stand names. */
function partsOf(template: string): readonly string[] {
  const known = split.get(template);
  if (known !== undefined) return known;
  const parts = template.split(/\{([a-zA-Z]\w*)\}/);
  split.set(template, parts);
  return parts;
}

/** A heading and its text; nothing at all when the text is empty. */
export function section(title: string, body: string): string {
  const text = body.trim();
  return text === '' ? '' : `# ${title}\n${text}`;
}

/** The sections that say something, a blank line between them. */
export function sections(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}
