import { isRecord } from './json.js';

/**
 * Describes plain data. Returns null for a value that fits, else what is wrong and where, such as `turn.step is not a number`. Smaller
 * than the schemas of `schema.ts`: a page also checks documents with it.
 */
export type Shape = (value: unknown) => string | null;

const kind =
  (name: string, is: (value: unknown) => boolean): Shape =>
  (value) =>
    is(value) ? null : ` is not ${name}`;

export const text = kind('a text', (value) => typeof value === 'string');
export const flag = kind('true or false', (value) => typeof value === 'boolean');
export const count = kind('a number', (value) => typeof value === 'number' && Number.isFinite(value));
export const record = kind('an object', isRecord);

export const oneOf = (...values: readonly unknown[]): Shape =>
  kind(`one of ${values.join(', ')}`, (value) => values.includes(value));

/** Undefined, or this. */
export const optional =
  (shape: Shape): Shape =>
  (value) =>
    value === undefined ? null : shape(value);

/** Null, or this. */
export const nullable =
  (shape: Shape): Shape =>
  (value) =>
    value === null ? null : shape(value);

/** An object with these members, and any others. */
export const fields =
  (shapes: Readonly<Record<string, Shape>>): Shape =>
  (value) =>
    isRecord(value) ? first(Object.keys(shapes), (key) => shapes[key]?.(value[key])) : ' is not an object';

/** An object whose members all have this shape. */
export const dictionary =
  (shape: Shape): Shape =>
  (value) =>
    isRecord(value)
      ? first(
          Object.keys(value).filter((key) => key !== '__proto__'), // JSON may have it; no code reads it
          (key) => shape(value[key]),
        )
      : ' is not an object';

export const list =
  (shape: Shape): Shape =>
  (value) =>
    Array.isArray(value) ? first([...value.keys()], (index) => shape(value[index])) : ' is not a list';

/** An object that one of the members selects the shape of. */
export const variant =
  (member: string, shapes: Readonly<Record<string, Shape>>): Shape =>
  (value) => {
    if (!isRecord(value)) return ' is not an object';
    const name = value[member];
    const shape = typeof name === 'string' && Object.hasOwn(shapes, name) ? shapes[name] : undefined;
    return shape === undefined ? `.${member} is not one of ${Object.keys(shapes).join(', ')}` : shape(value);
  };

/** Returns what is wrong in words, such as `its turn.step is not a number`; null when nothing is. */
export function problemIn(shape: Shape, value: unknown): string | null {
  const problem = shape(value);
  if (problem === null) return null;
  return problem.startsWith('.') ? `its ${problem.slice(1)}` : `it${problem}`;
}

/** Returns the first problem, with the path to it. */
function first<Key extends string | number>(
  keys: readonly Key[],
  problem: (key: Key) => string | null | undefined,
): string | null {
  for (const key of keys) {
    const found = problem(key) ?? null;
    if (found !== null) return `.${String(key).slice(0, 40)}${found}`;
  }
  return null;
}

// Shapes of stored rows that are checked when a session is opened, and before a document of it is imported.

export const texts = list(text);

export const messageRow = fields({ id: text, content: optional(text), causeBy: optional(text) });

export const toolCallShape = fields({ id: text, name: text, args: text });

/** A message of the conversation with the model. */
export const turnRow = fields({
  role: oneOf('user', 'assistant'),
  content: text,
  tokens: count,
  calls: optional(list(toolCallShape)),
  results: optional(texts),
});

/** A message that was published among the roles. */
export const deliveryRow = fields({
  trace: fields({
    message: messageRow,
    recipients: texts,
    reactions: list(fields({ role: text, reacts: flag, why: text })),
  }),
  undeliverable: texts,
  isQueued: optional(flag),
});
