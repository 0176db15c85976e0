/** `T` without undefined properties: properties that may be undefined become optional. */
export type Defined<T> = {
  [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key];
} & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};

/**
 * Returns a copy without undefined properties, for types whose optional properties must be absent.
 *
 * @example { type: 'finish', ...defined({ usage }) }
 */
export function defined<T extends object>(values: T): Defined<T> {
  const copy: Record<string, unknown> = {};
  for (const key in values) {
    const value: unknown = values[key];
    if (value !== undefined) copy[key] = value;
  }
  return copy as Defined<T>;
}
