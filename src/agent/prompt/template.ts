import { RoleZeroError } from '../../core/error.js';

/**
 * Replaces `{name}` in a text by its value. A missing value is an error. Braces around anything but a name stay, so JSON examples need no
 * escaping. Values are not scanned for variables.
 *
 * @throws RoleZeroError `internal` naming the missing variable.
 */
export function fill(template: string, variables: Readonly<Record<string, string>>): string {
  let text = '';
  for (const [index, part] of partsOf(template).entries())
    text += index % 2 === 0 ? part : valueOf(part, variables);
  return text;
}

function valueOf(name: string, variables: Readonly<Record<string, string>>): string {
  const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
  if (value !== undefined) return value;
  throw new RoleZeroError('internal', `The prompt variable "${name}" has no value.`, {
    name,
  });
}

/** Parsed templates. There are few, and some are filled in every step. */
const split = new Map<string, readonly string[]>();

/** Text and names alternate; names are at odd indexes. */
function partsOf(template: string): readonly string[] {
  const known = split.get(template);
  if (known !== undefined) return known;
  const parts = template.split(/\{([a-zA-Z]\w*)\}/);
  split.set(template, parts);
  return parts;
}

/** Returns a heading and its text; empty when the text is empty. */
export function section(title: string, body: string): string {
  const text = body.trim();
  return text === '' ? '' : `# ${title}\n${text}`;
}

/** Joins the non-empty sections with a blank line. */
export function sections(...parts: readonly string[]): string {
  let all = '';
  for (const part of parts) if (part !== '') all += all === '' ? part : `\n\n${part}`;
  return all;
}
